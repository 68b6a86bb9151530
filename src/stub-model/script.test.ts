import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isToolStep, MAX_STEPS, type Step, stepsOf } from "./script.ts";

describe("a script", () => {
  test("is the steps of a text in order, whatever stands around them", () => {
    const text = `<user_request>Please [[think Hm.]] do
      [[say Looking.]] and [[run ls -la]] then [[write "my notes.txt" a b]] [[recall]] [[wait 20]] [[cut]]</user_request>`;
    expect(stepsOf(text)).toEqual([
      { kind: "think", text: "Hm." },
      { kind: "say", text: "Looking." },
      { kind: "run", text: "ls -la" },
      { kind: "write", path: "my notes.txt", content: "a b" },
      { kind: "recall" },
      { kind: "wait", ms: 20 },
      { kind: "cut" },
    ]);
  });

  test("is not there in links, tests of a shell and words that only begin like a step", () => {
    expect(stepsOf("see [[Home]], [[ -f a ]], [[ run ls ]], [[running]], [[sayings x]] and [[toString]]")).toEqual([]);
  });

  test("has nothing of a step that is never closed", () => {
    expect(stepsOf("[[say a]] [[run ls")).toEqual([{ kind: "say", text: "a" }]);
  });

  test.each<[string, Step]>([
    ["[[run if [[ -f a ]]; then ls; fi]]", { kind: "run", text: "if [[ -f a ]]; then ls; fi" }],
    ['[[call x {"a":[[1],[2,[3]]]}]]', { kind: "call", name: "x", input: '{"a":[[1],[2,[3]]]}' }],
    ["[[say a [ b]]", { kind: "say", text: "a [ b" }],
    ["[[say a ] b]]", { kind: "say", text: "a ] b" }],
    ["[[say see [[run ls]] for more]]", { kind: "say", text: "see [[run ls]] for more" }],
  ])("ends %s where its author meant", (text, step) => {
    expect(stepsOf(`${text} and [[cut]]`)).toEqual([step, { kind: "cut" }]);
  });

  test.each<[string, Step]>([
    ["[[write a.txt]]", { kind: "write", path: "a.txt", content: "" }],
    ["[[write a.txt one\ntwo\n]]", { kind: "write", path: "a.txt", content: "one\ntwo\n" }],
    ["[[write a.txt\n  indented]]", { kind: "write", path: "a.txt", content: "  indented" }],
    ["[[ask Really?]]", { kind: "ask", question: "Really?", choices: [] }],
    ["[[ask Which? | red |blue ]]", { kind: "ask", question: "Which?", choices: ["red", "blue"] }],
    ["[[call list]]", { kind: "call", name: "list", input: "" }],
    ["[[fail 503]]", { kind: "fail", status: 503, message: "The script says to fail." }],
    ["[[fail 429 Slow down]]", { kind: "fail", status: 429, message: "Slow down" }],
    ["[[fail 429 Slow down x3]]", { kind: "fail", status: 429, message: "Slow down", times: 3 }],
    ["[[fail 500 x2]]", { kind: "fail", status: 500, message: "The script says to fail.", times: 2 }],
  ])("reads %s", (text, step) => {
    expect(stepsOf(text)).toEqual([step]);
  });

  test.each([
    "[[say]]",
    "[[run ]]",
    "[[write]]",
    '[[write "a]]',
    "[[ask | a]]",
    "[[call]]",
    "[[wait soon]]",
    "[[wait 600001]]",
    "[[fail]]",
    "[[fail 200 fine]]",
    "[[cut off]]",
  ])("says what is wrong with %s", (text) => {
    expect(stepsOf(text)).toEqual([{ kind: "wrong", problem: expect.stringContaining("takes") }]);
  });

  test("has a bound", () => {
    expect(stepsOf("[[cut]]".repeat(MAX_STEPS + 1))).toHaveLength(MAX_STEPS);
  });
});

const plain = fc.string({ unit: fc.constantFrom(..."ab |\"{}:\n\\'<>é😀") });
/** Brackets, but each with its partner. */
const balanced: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    plain,
    fc.tuple(plain, tie("text"), plain).map(([before, inside, after]) => `${before}[${inside}]${after}`),
  ),
})).text;

describe("any text", () => {
  test("that is balanced comes out of a step as it went in, and the step behind it is found", () => {
    fc.assert(
      fc.property(balanced, plain, (text, around) => {
        const said = text.trim() === "" ? "x" : text;
        expect(stepsOf(`${around}[[say ${said}]]${around}[[write a ${text}]]${around}`)).toEqual([
          { kind: "say", text: said.trim() },
          { kind: "write", path: "a", content: text },
        ]);
      }),
    );
  });

  test("is read, be it as broken as it may, and never takes what stands outside of brackets for a step", () => {
    const soup = fc.array(
      fc.constantFrom("[[", "]]", "[", "]", "say", "run ", "write ", "call ", " ", "x", "fail 500", "\n"),
    );
    fc.assert(
      fc.property(soup, (pieces) => {
        const text = pieces.join("");
        const steps = stepsOf(text);
        expect(steps.length).toBeLessThanOrEqual(text.split("[[").length - 1);
        for (const step of steps.filter(isToolStep)) expect(text).toContain(`[[${step.kind}`);
      }),
    );
  });

  test("is read in a time that grows with its length alone", () => {
    const text = "[[say ".repeat(300_000);
    const begun = performance.now();
    stepsOf(text);
    stepsOf(`${text}]]`);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
