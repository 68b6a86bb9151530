import { afterEach, expect, test } from "vitest";
import { confirm, type Script, untilAborted } from "../../testing/one-session.ts";
import { scripted } from "../../testing/scripted.ts";
import { uiWire } from "../../testing/ui-wire.ts";
import { NdjsonDecoder } from "../../transports/ndjson.ts";
import { LinkedUiClient } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";
import type { RunUpdate } from "./protocol.ts";
import { UiError } from "./ui-error.ts";

// The client and the real server, over streams in memory.

const clients: LinkedUiClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function connected(script: Script, options: Partial<ClientOptions> = {}): Promise<LinkedUiClient> {
  const { input, output } = uiWire({ engines: [scripted(script)] });
  const client = new LinkedUiClient({
    client: { name: "test", version: "1" },
    restart: false,
    ...options,
    connect: (events) => {
      const decoder = new NdjsonDecoder();
      output.on("data", (text: string) => {
        for (const line of decoder.push(Buffer.from(text))) events.line(line);
      });
      return {
        write: (text) => input.write(text),
        pause: () => output.pause(),
        resume: () => output.resume(),
        close: async () => {
          input.end();
          events.closed(new UiError("closed", "closed"));
        },
      };
    },
  });
  clients.push(client);
  await client.start();
  return client;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const brief = (update: RunUpdate) =>
  update.type === "event"
    ? `${update.seq} ${update.event.type}`
    : update.type === "status"
      ? update.status
      : update.type;

const talk: Script = async (turn, io) => {
  await io.emit({ type: "thinking.delta", text: "hm" });
  await io.emit({ type: "text.delta", text: "Hello", of: "answer" });
  return `You said ${turn.input.text}`;
};

test("a run comes whole, and its session can be read again while the next is under way", async () => {
  const client = await connected(async (turn, io, signal) => {
    if (turn.input.text === "wait") await untilAborted(signal);
    return talk(turn, io, signal);
  });
  const gaps: unknown[] = [];
  client.on("gap", (gap) => gaps.push(gap));
  const first = await client.startRun({ text: "hi" });
  expect((await all(first.events)).map(brief)).toEqual(["running", "0 reasoning", "1 text", "2 final", "completed"]);
  expect(await first.done).toEqual({ status: "completed", final: "You said hi" });
  const second = await client.startRun({ text: "wait" });
  await expect(client.startRun({ text: "too" })).rejects.toMatchObject({ code: -32001, data: { code: "run_active" } });
  const sessionId = first.sessionId ?? "";
  const history = await client.history(sessionId);
  expect(history.events.map(({ run_id, seq, event }) => [run_id, seq, event.type])).toEqual([
    [first.runId, -1, "hidden_user_message"],
    [first.runId, 0, "reasoning"],
    [first.runId, 1, "text"],
    [first.runId, 2, "final"],
    [second.runId, -1, "hidden_user_message"],
  ]);
  expect(history).toMatchObject({ runs: 2, events_sent: 5 });
  await second.cancel("enough");
  expect((await second.done).status).toBe("cancelled");
  expect((await all(second.events)).map(brief).at(-1)).toBe("cancelled");
  expect((await client.sessions()).map(({ session_id }) => session_id)).toEqual([sessionId]);
  expect((await all(client.exportHistory({ sessionId, limit: 3 }))).length).toBeGreaterThan(2);
  expect(gaps).toEqual([]);
});

test("an ask is answered by its handler; without one it is denied", async () => {
  const script: Script = async (_, io) => JSON.stringify(await io.ask(confirm));
  const outcome = async (handlers: ClientOptions["handlers"]) => {
    const client = await connected(script, { handlers });
    const { final = "" } = await (await client.startRun({ text: "x" })).done;
    return JSON.parse(final);
  };
  const answered = (ok: boolean) => ({ outcome: "answered", answer: { ok } });
  expect(await outcome({ confirm: () => ({ ok: true }) })).toEqual(answered(true));
  expect(await outcome({ confirm: () => Promise.reject(new Error("gone")) })).toEqual(answered(false));
  expect(await outcome({})).toEqual({ outcome: "denied", reason: "no_one_to_ask" });
});
