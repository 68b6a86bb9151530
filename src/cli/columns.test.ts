import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { Columns, cell, colours, gist, noColours } from "./columns.ts";

const notice = { text: '{"jsonrpc":"2.0","method":"run.status","params":{"run_id":"1","status":"running"}}' };
const event = { event: "plan.step", text: '{"planId":"p","stepId":"1","description":"Read it","status":"done"}' };

test("tells the gist of a message of any dialect, without ids and times", () => {
  const live = {
    text: '{"type":"content_block_delta","seq":3,"data":{"index":0,"delta":{"type":"text_delta","text":"a b"}}}',
  };
  const operations = { text: '{"id":"x","sequence":0,"type":"execution","content":"Done.\\nNext","sender":"copilot"}' };
  const response = { text: '{"jsonrpc":"2.0","id":2,"result":{"code":"x y","componentCount":1}}' };
  expect([notice, event, live, operations, response].map(gist)).toEqual([
    { name: "run.status", body: "running" },
    { name: "plan.step", body: '"Read it" done' },
    { name: "content_block_delta", body: 'text_delta "a b"' },
    { name: "execution", body: '"Done.\\nNext"' },
    { name: "response", body: 'code="x y" componentCount=1' },
  ]);
});

test("lets no escape of an agent reach the terminal", () => {
  const { body } = gist({ text: JSON.stringify({ type: "text", data: { text: "\u001b]0;owned\u0007\u202ered" } }) });
  expect(body).toBe('"red"');
});

test("cuts and fills to the width, as the terminal counts it", () => {
  expect([cell("abc", 5), cell("abcdef", 5), cell("🦜🦜🦜", 4), cell("漢字", 5)]).toEqual([
    "abc  ",
    "abcd…",
    "🦜… ",
    "漢字 ",
  ]);
});

test("puts what came of one event in the same rows, in lines that fit the terminal", () => {
  const columns = new Columns("ui", "sidecar", 81, colours);
  const rows = stripVTControlCharacters(columns.head() + columns.rows([notice], [event, event]));
  expect(rows.split("\n")).toEqual(
    [
      `${"ui".padEnd(39)} │ ${"sidecar".padEnd(39)}`,
      `${"─".repeat(40)}┼${"─".repeat(40)}`,
      `${"run.status running".padEnd(39)} │ plan.step "Read it" done`.padEnd(81),
      `${" ".repeat(39)} │ plan.step "Read it" done`.padEnd(81),
      "",
    ].map((line, index) => (index > 1 ? line.trimEnd() : line)),
  );
});

test("goes under each other where there is no room", () => {
  const columns = new Columns("ui", "sidecar", 60, noColours);
  expect(columns.head()).toBe("");
  expect(
    columns
      .rows([notice], [event])
      .split("\n")
      .map((line) => line.trimEnd()),
  ).toEqual(["ui: run.status running", 'sidecar: plan.step "Read it" done', ""]);
});
