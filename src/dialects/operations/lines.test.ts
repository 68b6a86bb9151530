import { describe, expect, test } from "vitest";
import type { Event, NewEvent } from "../../core/events.ts";
import { BoundedMap } from "../bounded-map.ts";
import { operations } from "./index.ts";
import { addText, type Stretch, takeRest } from "./lines.ts";
import type { Message } from "./messages.ts";
import { TextOrigins } from "./text-origins.ts";

const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";

function contents(...events: NewEvent[]): string[] {
  const fold = operations.fold("session");
  const started: NewEvent = {
    type: "run.started",
    runId,
    kind: "operation",
    input: { text: "" },
    by: { dialect: "operations" },
  };
  return [started, ...events]
    .flatMap((event, index) => fold.push({ ...event, seq: index + 1, at: 1000 + index } as Event))
    .map((frame) => (JSON.parse(frame.text) as Message).content);
}

const output = (callId: string, text: string): NewEvent => ({ type: "tool.output", runId, callId, text });

const BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDV7";
const [BEGIN, END] = ["BEGIN", "END"].map((word) => `-----${word} RSA PRIVATE KEY-----`);
const lines = (count: number) => `${BODY}\n`.repeat(count);

describe("a private key that is printed line by line", () => {
  test("is not shown when something else is said in the middle of it, and what follows its end is", () => {
    const note: NewEvent = { type: "note", runId, level: "info", text: "by the way", source: "core" };
    const said = contents(
      output("a", `${BEGIN}\n${lines(3)}${BODY.slice(0, 20)}`),
      note,
      output("a", `${BODY.slice(20)}\n${lines(2)}`),
      output("b", `another call\n${BEGIN}\n${BODY}\n`),
      output("a", `${lines(2)}${END}\nafter it\n`),
      output("b", `${BODY}\n${END} and on\n`),
    );
    expect(said).toEqual(["[redacted]", "by the way", "another call", "[redacted]", "after it", " and on"]);
  });

  test("hides no more than a key can be long, though its end never comes", () => {
    const words = "more words of prose\n".repeat(500);
    const said = contents(output("a", `it begins with ${BEGIN}\n${words}`), output("a", "the last\n"));
    expect([said[0], said.at(-2), said.at(-1)]).toEqual([
      "it begins with [redacted]",
      "more words of prose",
      "the last",
    ]);
  });
});

/** Text that is not cut into lines, since there is no room for so many messages. */
function coalesced(...texts: string[]): string[] {
  const stretch: Stretch = { rest: "", origins: new TextOrigins(), keys: new BoundedMap() };
  const source = { type: "execution", of: "tool", callId: "a" } as const;
  const said = texts.flatMap((text, index) => addText(stretch, source, { text, seq: index + 1 }, 0));
  return [...said, ...takeRest(stretch, texts.length + 1)].map(({ content }) => content);
}

describe("a private key in text that is cut after 10 KB", () => {
  test("is not shown, wherever the cut is and however it comes", () => {
    for (let before = 9700; before <= 10_020; before += before > 9940 ? 1 : 20) {
      for (const filler of ["word ", "x"]) {
        const text = `${filler.repeat(10_020).slice(0, before)} ${BEGIN}\n${lines(60)}${END}\nand more`;
        for (const step of [17, 1000]) {
          const steps = Array.from({ length: Math.ceil((text.length - before) / step) }, (_, index) =>
            text.slice(before + index * step, before + (index + 1) * step),
          );
          const said = coalesced(text.slice(0, before), ...steps).join("");
          expect(said).not.toMatch(/[A-Z]{3,}/);
          expect(said.slice(before - 1).trim()).toMatch(/^[a-z ]*\[redacted\]\s*and more/);
        }
      }
    }
  });
});

describe("the arguments of a call", () => {
  const secret = `ghp_${"a1B2".repeat(10)}`;
  const call = (args: unknown): NewEvent => ({
    type: "tool.requested",
    runId,
    callId: "1",
    tool: "fetch",
    kind: "fetch",
    args,
  });

  test("are shortened after what looks like a secret is left out", () => {
    for (let before = 30; before < 90; before++) {
      const text = `${"y".repeat(before)} ${secret}`;
      for (const args of [text, { text }, { deep: { text } }]) {
        expect(contents(call(args)).join("")).not.toContain("ghp_");
      }
    }
  });

  test("have no key in them, though JSON writes its line breaks in another way", () => {
    const key = `${BEGIN}\n${lines(3)}${END}\n`;
    expect(contents(call({ files: [{ key }] }))).toEqual(['fetch (files: [{"key":"[redacted]\\n"}])']);
  });
});
