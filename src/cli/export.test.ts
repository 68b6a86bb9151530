import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import { readRecording } from "../engines/recording.ts";
import { memoryStore } from "../stores/memory.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted } from "../testing/scripted.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { exportSession } from "./export.ts";

const folder = temporaryFolder();

/** A session in which as much was said and answered. */
async function sessionWith(said: string[], input: string, answer: string) {
  const store = memoryStore();
  const engine = scripted(async (_, io) => {
    for (const text of said) await io.emit({ type: "text.delta", of: "answer", text });
    return answer;
  });
  const runtime = new Runtime({ store, engines: [engine] });
  const session = await runtime.create({ workspace: "/w", engine: "scripted", title: "Notes" });
  await session.prompt({ kind: "prompt", input: { text: input }, by: { dialect: "ui" }, whenBusy: "refuse" });
  await session.settled();
  return { store, session: session.id };
}

/** Takes what it is given one piece at a time, and remembers the most that waited. */
class Slow extends Writable {
  text = "";
  most = 0;
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk;
    this.most = Math.max(this.most, this.writableLength);
    setImmediate(done);
  }
}

async function exported(options: { store: Store; session: string; format?: string }) {
  const stdout = new Slow();
  expect(await exportSession({ ...options, stdout })).toBe(0);
  return stdout;
}

test("as lines it is a recording, which can be played again", async () => {
  const { store, session } = await sessionWith(["Hello.\n\u009b2J"], "Hi", "Hello.");
  const { text } = await exported({ store, session: session.slice(0, 8) });
  expect(text).not.toContain("\u009b");
  expect(readRecording(text)).toEqual({ sessionId: session, events: await readAll(store, session) });
});

test.each(["jsonl", "markdown"])("as %s it has nothing of the session that an agent has of its own", async (format) => {
  const store = memoryStore();
  const engine = scripted(async (_, io) => {
    io.keep("agent-session-4711");
    return "Hello.";
  });
  const session = await new Runtime({ store, engines: [engine] }).create({ workspace: "/w", engine: "scripted" });
  await session.prompt({ kind: "prompt", input: { text: "Hi" }, by: { dialect: "ui" }, whenBusy: "refuse" });
  await session.settled();
  expect((await exported({ store, session: session.id, format })).text).not.toContain("4711");
});

test.each(["jsonl", "markdown"])(
  "as %s it ends where the log did when it began, however the session goes on",
  async (format) => {
    const { store, session } = await sessionWith(Array(1500).fill("word\n"), "Hi", "Hello.");
    const before = await exported({ store, session, format });
    const other = new Runtime({ store, engines: [scripted(async () => "More.")] });
    const writing: Store = {
      ...store,
      read: async (...args) => {
        const by = { dialect: "ui" };
        const handle = await other.open(session);
        await handle.prompt({ kind: "prompt", input: { text: "More" }, by, whenBusy: "queue" });
        return store.read(...args);
      },
    };
    expect((await exported({ store: writing, session, format })).text).toBe(before.text);
  },
);

test("a document has large inputs and answers whole, and is written as fast as it is read", async () => {
  const [input, answer] = [`${"long prompt ".repeat(10_000)}end`, `${"long answer ".repeat(200_000)}end`];
  const { store, session } = await sessionWith(Array(3000).fill("word\n"), input, answer);
  const { text, most } = await exported({ store, session, format: "markdown" });
  expect(text).toMatch(/^# Notes\n/);
  expect(text).toContain(input);
  expect(text).toContain(answer);
  expect(most).toBeLessThan(4 * 1024 * 1024);
});

test("a file is written whole or not at all, in the format of its name", async () => {
  const { store, session } = await sessionWith([], "Hi", "Hello.");
  const stdout = new Slow();
  const output = join(folder.path, "notes.md");
  writeFileSync(output, "older");
  await exportSession({ store, stdout, session, output });
  expect(readFileSync(output, "utf8")).toContain("> Hi\n\nHello.\n");
  expect(statSync(output).mode & 0o777).toBe(0o600);
  const broken: Store = { ...store, read: () => Promise.reject(new Error("no disk")) };
  await expect(exportSession({ store: broken, stdout, session, output })).rejects.toThrow("no disk");
  expect(readFileSync(output, "utf8")).toContain("Hello.");
  expect(readdirSync(folder.path)).toEqual(["notes.md"]);
  expect(stdout.text).toBe("");
});

test("what cannot be is told with what to do", async () => {
  const { store, session } = await sessionWith([], "Hi", "Hello.");
  const stdout = new Slow();
  const output = join(folder.path, "nowhere", "x.md");
  await expect(exportSession({ store, stdout, session, output })).rejects.toThrow(`Cannot write ${output}`);
  await expect(exportSession({ store, stdout, session, format: "pdf" })).rejects.toThrow("There are: jsonl, markdown.");
  await expect(exportSession({ store, stdout, session: "nope" })).rejects.toMatchObject({ code: "session_not_found" });
  expect(existsSync(output)).toBe(false);
});
