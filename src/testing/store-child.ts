import { createInterface } from "node:readline";
import { asDragomanError } from "../core/errors.ts";
import type { Draft, Fence, Range, Store } from "../core/store.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { eventDigest } from "./event-digest.ts";

// Another process on the same file, for tests: it does what the lines of stdin say and answers each with a line.

export type Command =
  | { do: "claim"; sessionId: string }
  | { do: "append"; drafts: Draft[]; fence: Fence }
  | { do: "read"; sessionId: string; range: Range }
  | { do: "close" }
  /** Appends to so many sessions, without end, and tells of every event that was acknowledged. */
  | { do: "flood"; sessions: number };

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function obey(store: Store, command: Command): Promise<unknown> {
  switch (command.do) {
    case "claim":
      return store.claim(command.sessionId, `process ${process.pid}`);
    case "append":
      return store.append(command.fence.sessionId, command.drafts, command.fence);
    case "read":
      return store.read(command.sessionId, command.range);
    case "close":
      return store.close();
    case "flood":
      return Promise.all(Array.from({ length: command.sessions }, (_, i) => flood(store, `session-${i}`)));
  }
}

async function flood(store: Store, sessionId: string): Promise<void> {
  const fence = await store.claim(sessionId, "flood");
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
