import { expect, test } from "vitest";
import type { SessionLog } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import { generate } from "../generator/generate.ts";
import { readDescription } from "../generator/reading/read-description.ts";
import { DescribedApis } from "./described-apis.ts";

function codeFor(title: string): string {
  const paths = { "/all": { get: { responses: {} } } };
  const text = JSON.stringify({ openapi: "3.1.0", info: { title, version: "1" }, paths });
  const { spec } = readDescription([{ name: "api.json", text }]);
  return generate(spec, { theme: "light" }).code;
}

/** A log whose runs made interfaces that are too large for their events. */
function largeLog() {
  const events: Event[] = [];
  const artifacts = new Map<string, string>();
  const read: string[] = [];
  const log: SessionLog = {
    read: async ({ after = 0, type }) => events.filter((event) => event.seq > after && event.type === type),
    artifact: async (id) => {
      read.push(id);
      const text = artifacts.get(id);
      return text === undefined ? undefined : Buffer.from(text);
    },
  };
  const add = (runId: string, action: string, code: string) => {
    const [seq, at, by] = [events.length + 1, 0, { dialect: "test" }];
    const input = { text: "go", action, artifactId: `input of ${runId}` };
    artifacts.set(input.artifactId, JSON.stringify({ text: "go", action }));
    artifacts.set(`result of ${runId}`, JSON.stringify({ text: "made", code }));
    const result = { text: "made", artifactId: `result of ${runId}` };
    events.push({ seq, at, type: "run.started", runId, kind: "generation", input, by });
    events.push({ seq: seq + 1, at, type: "run.completed", runId, result });
  };
  return { log, add, artifacts, read };
}

test("what an interface was generated for is read once, until it is generated anew", async () => {
  const { log, add, read } = largeLog();
  const apis = new DescribedApis();
  const title = async () => (await apis.of("s1", log))?.title;
  expect(await title()).toBe(undefined);
  add("one", "generate", codeFor("Pets"));
  expect(await Promise.all([title(), title()])).toEqual(["Pets", "Pets"]);
  const once = read.length;
  add("two", "customize", "changed");
  expect([await title(), read.length]).toEqual(["Pets", once]);
  add("three", "generate", codeFor("Notes"));
  expect([await title(), read.slice(once)]).toEqual(["Notes", expect.arrayContaining(["result of three"])]);
});

test("a run of another session is another one, whatever it is called", async () => {
  const [one, other] = [largeLog(), largeLog()];
  one.add("run", "generate", codeFor("Pets"));
  other.add("run", "generate", codeFor("Notes"));
  const apis = new DescribedApis();
  expect([(await apis.of("s1", one.log))?.title, (await apis.of("s2", other.log))?.title]).toEqual(["Pets", "Notes"]);
});

test("what could not be read is read again", async () => {
  const { log, add, artifacts } = largeLog();
  const apis = new DescribedApis();
  add("one", "generate", codeFor("Pets"));
  const result = artifacts.get("result of one") ?? "";
  artifacts.delete("result of one");
  await expect(apis.of("s1", log)).rejects.toThrow(DragomanError);
  artifacts.set("result of one", result);
  expect(await apis.of("s1", log)).toMatchObject({ title: "Pets" });
});

test("is bounded: of 100 sessions it is known", async () => {
  const { log, add, read } = largeLog();
  add("one", "generate", codeFor("Pets"));
  const apis = new DescribedApis();
  await apis.of("first", log);
  const each = read.length;
  for (let at = 0; at < 100; at++) await apis.of(`s${at}`, log);
  await apis.of("s99", log);
  expect(read.length).toBe(101 * each);
  await apis.of("first", log);
  expect(read.length).toBe(102 * each);
});
