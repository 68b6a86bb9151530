import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event, NewEvent } from "../core/events.ts";
import { arbitraryLog } from "../testing/arbitrary-log.ts";
import { recordings } from "../testing/recordings.ts";
import { markdownFold } from "./markdown.ts";
import { foreignMarkdown, inlineCode, quoted } from "./markdown-text.ts";

// The document of every recorded log. DRAGOMAN_GOLDEN=renew makes the files anew, and a change shows in the diff.

const folder = new URL("./markdown-golden/", import.meta.url);
const renew = process.env.DRAGOMAN_GOLDEN === "renew";
const LONGEST = 4000;

function documentOf(events: Event[], sessionId = "s"): string {
  const fold = markdownFold(sessionId);
  return events.map((event) => fold.push(event)).join("") + fold.end();
}

const logOf = (...events: NewEvent[]): Event[] => events.map((event, i) => ({ seq: i + 1, at: i * 1000, ...event }));
const runId = "r";
const by = { dialect: "ui", user: "Ada" };
const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "Go" }, by };

test("every recorded log is the document that its golden file has", () => {
  const documents = new Map(
    [...recordings].map(([name, { events, sessionId }]) => [
      `${name}.md`,
      documentOf(events, sessionId).slice(0, LONGEST),
    ]),
  );
  if (renew) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of documents) writeFileSync(new URL(file, folder), text);
  }
  expect(existsSync(folder) ? readdirSync(folder).sort() : []).toEqual([...documents.keys()].sort());
  for (const [file, text] of documents) expect(readFileSync(new URL(file, folder), "utf8"), file).toBe(text);
});

describe("the document", () => {
  test("can be made in parts: folding from the start of a run gives the rest of it", () => {
    fc.assert(
      fc.property(arbitraryLog, fc.nat(), (log, place) => {
        const at = place % log.length;
        const start = log.slice(0, at + 1).findLastIndex((event) => event.type === "run.started");
        const fold = markdownFold("s");
        const parts = log.slice(Math.max(0, start)).map((event) => ({ seq: event.seq, text: fold.push(event) }));
        const rest = parts.filter(({ seq }) => seq > at + 1).map(({ text }) => text);
        const whole = markdownFold("s");
        const expected = log.map((event) => whole.push(event)).slice(at + 1);
        expect(rest).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("has a change of the session where it was made, between what was said, and nothing of what is an agent's own", () => {
    const said = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "answer" });
    const changed: NewEvent = { type: "session.updated", engine: "codex", model: "o3" };
    const kept: NewEvent = { type: "session.updated", agentSession: { engine: "codex", id: "4711" } };
    const done: NewEvent = { type: "run.completed", runId, result: { text: "" } };
    expect(documentOf(logOf(started, said("One, "), kept, said("two."), changed, said("Three."), done))).toContain(
      "One, two.\n\n*The session has a new model o3, engine codex.*\n\nThree.\n",
    );
  });

  test("has an answer in one's own words as it was given, which is never markup", () => {
    const about = { runId, askId: "a" };
    const said = documentOf(
      logOf(
        started,
        { type: "ask.opened", ...about, expiresAt: 1, kind: "pick", title: "Who?", message: "", allowText: true },
        { type: "ask.closed", ...about, outcome: "answered", answer: { ids: [], text: "the <b>owner" }, by },
      ),
    );
    expect(said).toContain("`the <b>owner`");
  });

  test("says an answer once", () => {
    const said = documentOf(
      logOf(
        started,
        { type: "text.delta", runId, of: "answer", text: "Forty-\ntwo." },
        {
          type: "run.completed",
          runId,
          result: { text: "Forty- two." },
        },
      ),
    );
    expect(said.match(/Forty-/g)).toHaveLength(1);
  });

  test("shows the end of a long output, and how much is missing", () => {
    const call = { runId, callId: "c" };
    const output = Array.from({ length: 5 }, (_, i) => String(i).repeat(30_000));
    const said = documentOf(
      logOf(
        started,
        { type: "tool.requested", ...call, tool: "shell", args: {} },
        ...output.map((text): NewEvent => ({ type: "tool.output", ...call, text })),
        { type: "tool.finished", ...call, result: { exitCode: 0 }, durationMs: 3 },
      ),
    );
    expect(said).toContain("… 84464 characters before");
    expect(said).toContain("4".repeat(30_000));
    expect(said).not.toContain("0".repeat(100));
  });

  test("lets nothing in it end its block or hide what follows", () => {
    const nasty = "```\n</details>\n<!-- \n````\n\u001b[2J<script>";
    const call = { runId, callId: "c" };
    const said = documentOf(
      logOf(
        started,
        { type: "thinking.delta", runId, text: nasty },
        { type: "tool.requested", ...call, tool: nasty, title: nasty, args: nasty },
        { type: "tool.output", ...call, text: nasty },
        { type: "tool.finished", ...call, result: nasty, durationMs: 1, diff: nasty },
        { type: "text.delta", runId, of: "code", language: "ts\n```\n<b>", text: nasty },
        {
          type: "ask.opened",
          runId,
          askId: "a",
          expiresAt: 1,
          kind: "confirm",
          title: nasty,
          message: nasty,
          diff: nasty,
        },
        { type: "ask.closed", runId, askId: "a", outcome: "answered", answer: { ok: false, reason: nasty }, by },
        { type: "run.failed", runId, error: { code: "engine_failed", message: nasty } },
      ),
    );
    expect(said).not.toContain("\u001b");
    expect(outsideFences(said).filter((line) => /<[A-Za-z/!?]/.test(line.replace(/`[^`]*`/g, "")))).toEqual([
      "<details><summary>Thinking (5 lines)</summary>",
      "</details>",
    ]);
  });
});

/** The lines of a document that are not code. */
function outsideFences(document: string): string[] {
  let open = "";
  return document.split("\n").filter((line) => {
    const [, marks = "", rest = ""] = /^(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === "" && marks !== "") open = marks;
    else if (open !== "") {
      if (marks.startsWith(open) && rest.trim() === "") open = "";
    } else return true;
    return false;
  });
}

describe("Markdown of someone else", () => {
  test.each([
    ["plain *words*", "plain *words*"],
    ["<details>", "&lt;details>"],
    ["a < b and `Array<string>`", "a < b and `Array<string>`"],
    ["<!-- hidden", "&lt;!-- hidden"],
    ["```ts\nlet a: Array<b>;\n```", "```ts\nlet a: Array<b>;\n```"],
    ["~~~\nleft <b>open", "~~~\nleft <b>open\n~~~"],
    // Where it is not certain that it is code, it is not taken for code.
    ["` \n` <b> `", "` \n` &lt;b> `"],
    ["\\` <b> `", "\\` &lt;b> `"],
    ["`a | <b> | c`", "`a | &lt;b> | c`"],
    ["` \n\n`<b>` here", "` \n\n`<b>` here"],
    ["- ```\n  ```\n<b>", "````markdown\n- ```\n  ```\n<b>\n````"],
  ])("%j becomes %j", (text, safe) => {
    expect(foreignMarkdown(text)).toBe(safe);
  });

  test("is quoted without a structure of its own", () => {
    expect(quoted("# a\n\n- b <i>\n```\n1. c")).toBe("> \\# a\n>\n> \\- b &lt;i>\n> \\```\n> \\1. c");
  });

  test("is code in a line, whatever ticks it has", () => {
    expect(["a", "a`b", "``", "a\nb"].map(inlineCode)).toEqual(["`a`", "``a`b``", "``` `` ```", "`a b`"]);
  });
});
