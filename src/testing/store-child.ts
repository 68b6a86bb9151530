import { createInterface } from "node:readline";
import { asDragomanError } from "../core/errors.ts";
import type { Letter } from "../core/mailbox.ts";
import { thisProcess } from "../core/process-identity.ts";
import type { Draft, Fence, Range, Store } from "../core/store.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { eventDigest } from "./event-digest.ts";

// Another process on the same file, for tests: it does what the lines of stdin say and answers each with a line.

export type Command =
  /** As the node "process <pid>". */
  | { do: "join" }
  | { do: "claim"; sessionId: string }
  | { do: "append"; drafts: Draft[]; fence: Fence }
  | { do: "read"; sessionId: string; range: Range }
  | { do: "post"; letter: Letter }
  | { do: "take"; node: string }
  | { do: "reply"; id: string; reply: string }
  | { do: "close" }
  /** Joins, claims a session of its own and appends to it one event after the other for that long. */
  | { do: "load"; seconds: number; pauseMs: number }
  /** Appends to so many sessions, without end, and tells of every event that was acknowledged. */
  | { do: "flood"; sessions: number };

/** What a process under load tells of itself. */
export interface Loaded {
  sessionId: string;
  appended: number;
  /** The longest that an append took. */
  slowestMs: number;
}

const node = `process ${process.pid}`;

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function obey(store: Store, command: Command): Promise<unknown> {
  switch (command.do) {
    case "join":
      return store.nodes.join({ ...thisProcess(), node, title: "test", version: "", publicKey: "" });
    case "claim":
      return store.claim(command.sessionId, node);
    case "append":
      return store.append(command.fence.sessionId, command.drafts, command.fence);
    case "read":
      return store.read(command.sessionId, command.range);
    case "post":
      return store.mailbox.post(command.letter);
    case "take":
      return store.mailbox.take(command.node);
    case "reply":
      return store.mailbox.answer(command.id, command.reply);
    case "close":
      return store.close();
    case "load":
      return load(store, command);
    case "flood":
      return Promise.all(Array.from({ length: command.sessions }, (_, i) => flood(store, `session-${i}`)));
  }
}

async function load(store: Store, { seconds, pauseMs }: { seconds: number; pauseMs: number }): Promise<Loaded> {
  await obey(store, { do: "join" });
  store.mailbox.wake(node, () => {});
  const sessionId = `session of ${node}`;
  const fence = await store.claim(sessionId, node);
  if (!fence) throw new Error("someone else has the session");
  const end = performance.now() + seconds * 1000;
  let [appended, slowestMs] = [0, 0];
  while (performance.now() < end) {
    const start = performance.now();
    await store.append(
      sessionId,
      [{ type: "text.delta", runId: "r", of: "answer", text: `${++appended}`, at: 1 }],
      fence,
    );
    slowestMs = Math.max(slowestMs, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 * Math.random()));
  }
  return { sessionId, appended, slowestMs };
}

async function flood(store: Store, sessionId: string): Promise<void> {
  const fence = await store.claim(sessionId, "flood");
  if (!fence) throw new Error("someone else has the session");
  for (let n = 0; ; n++) {
    const count = 1 + Math.floor(Math.random() * 5);
    const events = await store.append(
      sessionId,
      Array.from({ length: count }, () => randomDraft(n)),
      fence,
    );
    say(events.map((event) => [sessionId, event.seq, eventDigest(event)]));
  }
}

function randomDraft(n: number): Draft {
  const text = "text ".repeat(1 + Math.floor(Math.random() * 200));
  const at = Date.now();
  if (n % 10 === 0) return { type: "session.updated", title: text, workspace: "/w", engine: "e", at };
  return { type: "text.delta", runId: "r", of: "answer", text, at };
}

async function main(path: string): Promise<void> {
  const store = await openSqliteStore(path);
  say("open");
  for await (const line of createInterface({ input: process.stdin })) {
    await obey(store, JSON.parse(line)).then(
      (result) => say({ result }),
      (error) => {
        const { code, message } = asDragomanError(error);
        say({ error: { code, message } });
      },
    );
  }
}

await main(process.argv[2] ?? "");
