import { createHmac } from "node:crypto";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { ManualClock } from "../core/clock.ts";
import type { Engine } from "../core/engine.ts";
import { asDragomanError } from "../core/errors.ts";
import type { EventOf, EventType } from "../core/events.ts";
import type { Caller, Role } from "../core/roles.ts";
import { Runtime, type RuntimeOptions } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import { calls } from "../dialects/sidecar/calls.ts";
import { wireError } from "../dialects/sidecar/errors.ts";
import { type Services, SidecarServer } from "../dialects/sidecar/server/index.ts";
import { memoryStore } from "../stores/memory.ts";
import { callbackPost } from "../transports/callback-post.ts";
import type { Script } from "./one-session.ts";
import { readAll } from "./read-all.ts";
import { scripted, until } from "./scripted.ts";

type Method = keyof typeof calls;
type Answered = { result?: Record<string, unknown>; error?: { code: number; message: string; data: unknown } };

export const caller = (...roles: Role[]): Caller => ({ id: `t-${roles.join("-")}`, name: roles.join(" "), roles });
/** Who may do all that a plugin does. */
export const plugin = caller("prompt", "approve");

export const keyOf = (tokenId: string) => createHmac("sha256", "key").update(tokenId).digest();

interface NodeOptions {
  store?: Store;
  clock?: ManualClock;
  engine?: Engine;
  runtime?: Partial<RuntimeOptions>;
  services?: Partial<Services> & { mostCallbacks?: number };
}

/** A node that serves plugins, on a clock that stands still. Its callbacks go over real connections. */
export function sidecarNode(script: Script, options: NodeOptions = {}) {
  const clock = options.clock ?? new ManualClock();
  const store = options.store ?? memoryStore({ clock });
  const engine = options.engine ?? scripted(script);
  const runtime = options.services?.runtime ?? new Runtime({ store, engines: [engine], clock, ...options.runtime });
  const logged: Record<string, unknown>[] = [];
  const server = new SidecarServer({
    runtime,
    engine: engine.name,
    workspace: "/w",
    callbacks: { allowedHosts: [] },
    callbackKey: keyOf,
    post: callbackPost(),
    clock,
    log: (entry) => void logged.push(entry),
    ...options.services,
  });
  onTestFinished(() => server.close());

  /** As an endpoint would have it: checked both ways, and failures as they are on the wire. */
  const call = async (method: Method, params: unknown = {}, by: Caller = plugin): Promise<Answered> => {
    try {
      server.allow(method, by);
      const parsed = calls[method].params.safeParse(params);
      if (!parsed.success) throw asDragomanError(new Error(z.prettifyError(parsed.error)), "invalid_params");
      const handle = server.handlers(by)[method] as (given: unknown, call: object) => unknown;
      const result = await handle(parsed.data, { id: "r1", afterwards: () => {} });
      return { result: calls[method].result.parse(JSON.parse(JSON.stringify(result))) };
    } catch (error) {
      return { error: wireError(asDragomanError(error)) as Answered["error"] };
    }
  };
  const done = async (method: Method, params: unknown = {}, by?: Caller): Promise<Record<string, unknown>> => {
    const { result, error } = await call(method, params, by);
    if (!result) throw new Error(JSON.stringify(error));
    return result;
  };
  const create = async (params: object = {}, by?: Caller) =>
    String((await done("session.create", params, by)).sessionId);
  const send = async (sessionId: string, prompt: string, more: object = {}, by?: Caller) =>
    String((await done("session.send", { sessionId, prompt, ...more }, by)).messageId);
  const log = (sessionId: string) => readAll(store, sessionId);
  const events = async <T extends EventType>(sessionId: string, type: T) =>
    (await log(sessionId)).filter((event): event is EventOf<T> => event.type === type);
  /** The newest event of a type, as soon as there are so many. */
  const event = async <T extends EventType>(sessionId: string, type: T, count = 1): Promise<EventOf<T>> => {
    await until(async () => (await events(sessionId, type)).length >= count, `${count} ${type}`);
    const found = (await events(sessionId, type))[count - 1];
    if (!found) throw new Error("it is gone");
    return found;
  };
  return { clock, store, runtime, server, logged, call, done, create, send, log, events, event };
}
