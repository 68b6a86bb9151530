import { afterEach, expect } from "vitest";
import { type HostRequestOptions, type HostSettings, type StudioError, StudioHost } from "../clients/studio/index.ts";
import { settle } from "./scripted.ts";
import { CountedClock, MemoryRuntimes } from "./studio-host-memory.ts";

export const aboutHost = { clientName: "test", clientVersion: "1", capabilities: { asks: true } };
export const answered = { message: "ok", suggestions: [] };
export const spec = { spec: {}, format: "react" } as const;

/** Hosts on runtimes and a clock in the test's hands. They are stopped with the test. */
export function memoryHosts() {
  const hosts: StudioHost[] = [];
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
  });

  function held(settings: HostSettings = {}) {
    const clock = new CountedClock();
    const runtimes = new MemoryRuntimes(clock);
    const host = new StudioHost(aboutHost, { connect: runtimes.connect }, { clock, ...settings });
    hosts.push(host);
    const states: string[] = [];
    host.on("state", ({ state }) => states.push(`${state} at ${clock.now() / 1000}`));
    const pass = async (seconds: number) => {
      await settle(3);
      clock.advance(seconds * 1000);
      await settle(3);
    };
    /** When each line of that method was written, in seconds. */
    const times = (method: string) =>
      runtimes.all.flatMap((runtime) => runtime.calls(method).map(({ at }) => at / 1000)).sort((a, b) => a - b);
    /** Ends the runtime, and lets so much time pass. */
    const crash = async (seconds: number) => {
      runtimes.last.end();
      await pass(seconds);
    };
    return { clock, runtimes, host, states, pass, times, crash };
  }

  async function running(settings?: HostSettings) {
    const world = held(settings);
    await world.host.start();
    return world;
  }

  return { held, running };
}

export const failure = (promise: Promise<unknown>) =>
  promise.then(
    (result) => expect.fail(`it was answered: ${JSON.stringify(result)}`),
    (error: StudioError) => error,
  );

/** What has become of it, if anything. */
export function outcome(promise: Promise<unknown>): { is?: unknown } {
  const found: { is?: unknown } = {};
  promise.then(
    (result) => {
      found.is = result;
    },
    ({ code, message }) => {
      found.is = `${code}: ${message}`;
    },
  );
  return found;
}

const requests: Record<string, (host: StudioHost, options?: HostRequestOptions) => Promise<unknown>> = {
  generate: (host, options) => host.generate(spec, options),
  customize: (host, options) => host.customize({ currentCode: "", prompt: "x" }, options),
  chat: (host, options) => host.chat("hi", options),
  "session/list": (host) => host.sessions(),
};
export const requestMethods = Object.keys(requests);
export const make = (method: string, host: StudioHost, options?: HostRequestOptions) =>
  requests[method]?.(host, options) ?? expect.fail(method);
