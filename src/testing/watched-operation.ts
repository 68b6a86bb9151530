import {
  type OperationMessage,
  OperationsClient,
  type OperationsClientOptions,
  type StateChange,
  type WatchOptions,
} from "../clients/operations/index.ts";
import { ManualClock } from "../core/clock.ts";
import { fakeSockets } from "./fake-socket.ts";
import { settle } from "./scripted.ts";

export const operation = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";

export function message(
  sequence: number,
  type: OperationMessage["type"] = "execution",
  more: object = {},
): OperationMessage {
  const rest = { timestamp: "2026-02-18T14:23:45.000Z", sender: "copilot" as const, ...more };
  return { id: `m${sequence}`, operation_id: operation, sequence, type, content: `message ${sequence}`, ...rest };
}
export const connected = message(-1, "system");
export const leftOut = (...dropped: number[]) => message(-2, "system", { metadata: { dropped } });
export const complete = (sequence: number) => message(sequence, "complete");

interface Call {
  call: string;
  by: string | null;
}

/** What REST calls are answered with; by default there is no message that did not come. */
export type Answers = (call: string) => { status?: number; body: unknown } | Error;
const nothingNew: Answers = (call) => ({
  body: call.includes("/messages") ? { operation_id: operation, messages: [], more: false } : { session_id: "renewed" },
});

/** A stream whose time is held still, and whose network is what the test says. */
export async function watchedOperation(
  options: WatchOptions & { answers?: Answers } = {},
  who: Partial<OperationsClientOptions> = {},
) {
  const { answers = nothingNew, ...watching } = options;
  const clock = new ManualClock();
  const { made, WebSocket } = fakeSockets();
  const called: Call[] = [];
  const fetch = async (url: URL, { method, headers }: RequestInit) => {
    const call = `${method} ${url.pathname.replace("/api/v1/", "")}${url.search}`;
    called.push({ call, by: new Headers(headers).get("authorization") });
    const answer = answers(call);
    if (answer instanceof Error) throw answer;
    return Response.json(answer.body, { status: answer.status ?? 200 });
  };
  const identity = who.token || who.signIn ? {} : { sessionId: "s1" };
  const given = { url: "http://server.test", clock, WebSocket, fetch: fetch as typeof globalThis.fetch };
  const client = new OperationsClient({ ...given, ...identity, ...who });
  const stream = client.watch(operation, { reconnect: { random: () => 0 }, ...watching });
  const states: StateChange[] = [];
  const told: OperationMessage[] = [];
  const dropped: number[][] = [];
  stream.on("state", (change) => states.push(change));
  stream.on("dropped", (sequences) => dropped.push(sequences));
  await settle();
  const socket = (at = -1) => {
    const found = made.at(at);
    if (!found) throw new Error("no socket was made");
    return found;
  };
  const pass = async (ms: number) => {
    await settle();
    clock.advance(ms);
    await settle();
  };
  /** Takes the messages as they come. */
  const listen = () => stream.on("message", (one) => told.push(one));
  const sequences = () => told.map(({ sequence }) => sequence);
  return { clock, client, stream, states, told, dropped, made, socket, called, pass, listen, sequences };
}

export const words = (states: StateChange[]) => states.map(({ state }) => state);
