import { describe, expect, test } from "vitest";
import type { Answer } from "./answer.ts";
import type { Entry, ModelRequest, OfferedTool } from "./conversation.ts";
import { Failures } from "./failures.ts";
import { answerTo } from "./follow-script.ts";

const tool = (name: string, properties: Record<string, object>, required = Object.keys(properties)): OfferedTool => ({
  name,
  form: "function",
  schema: { type: "object", properties, required },
});
const text = { type: "string" };
const bash = tool("bash", { command: text, description: text });
const create = tool("create", { path: text, file_text: text });
const usual = [bash, create];

const user = (words: string): Entry => ({ role: "user", text: words });
const model = (words: string): Entry => ({ role: "model", text: words });
const system = (words: string): Entry => ({ role: "system", text: words });
const called = (output: string): Entry[] => [
  { role: "call", text: "{}" },
  { role: "result", text: output },
];

function answer(entries: Entry[], tools = usual, more: Partial<ModelRequest> = {}, failures = new Failures()): Answer {
  return answerTo({ model: "m", entries, tools, stream: false, thinking: true, ...more }, failures);
}
const say = (words: string): Answer => ({ parts: [{ kind: "say", text: words }] });
const running = (command: string): Answer => ({
  parts: [{ kind: "call", call: { tool: bash, input: { command, description: `Run ${command}` } } }],
});

describe("the steps", () => {
  const script = user("[[think Hm.]] [[say First.]] [[run one]] [[say Then.]] [[say More.]] [[run two]] [[say Done.]]");

  test("are followed up to the next call, and behind its result they go on", () => {
    expect(answer([script])).toEqual({
      parts: [
        { kind: "think", text: "Hm." },
        { kind: "say", text: "First." },
        { kind: "call", call: { tool: bash, input: { command: "one", description: "Run one" } } },
      ],
    });
    expect(answer([script, model("First."), ...called("1")])).toEqual({
      parts: [
        { kind: "say", text: "Then." },
        { kind: "say", text: "\nMore." },
        { kind: "call", call: { tool: bash, input: { command: "two", description: "Run two" } } },
      ],
    });
    expect(answer([script, ...called("1"), ...called("2")])).toEqual(say("Done."));
  });

  test("are those of the last message that has any, also behind the reminders of an agent", () => {
    const reminder = user("<system-reminder>Be brief.</system-reminder>");
    const entries = [user("[[run one]]"), ...called("1"), model("ok"), user("[[run two]]"), reminder];
    expect(answer(entries)).toEqual(running("two"));
    expect(answer([...entries, ...called("2"), reminder])).toEqual(say("The tool said: 2"));
  });

  test("are over when the model has answered and the user says something else", () => {
    expect(answer([user("[[say Hi.]]"), model("Hi."), user("and now?")])).toEqual(say("You said: and now?"));
    expect(answer([user("[[say Hi.]]"), model("Hi."), system("note"), user("then?")])).toEqual(say("You said: then?"));
    expect(answer([user("[[run a]]"), ...called("1"), model("The tool said: 1"), user("thanks")])).toEqual(
      say("You said: thanks"),
    );
  });

  test("may wait and cut in the middle of an answer", () => {
    expect(answer([user("[[say a]][[wait 5]][[say b]][[cut]]")])).toEqual({
      parts: [{ kind: "say", text: "a" }, { kind: "wait", ms: 5 }, { kind: "say", text: "\nb" }, { kind: "cut" }],
    });
  });

  test("that say nothing end in a sentence, which quotes the beginning of the last result", () => {
    expect(answer([user("[[think Hm.]]")])).toEqual({
      parts: [
        { kind: "think", text: "Hm." },
        { kind: "say", text: "Hello from the stub model." },
      ],
    });
    const quoted = "x".repeat(200);
    expect(answer([user("[[run a]]"), ...called(`\n${quoted}y`)])).toEqual(say(`The tool said: ${quoted}`));
    expect(answer([user("[[run a]]"), ...called(" ")])).toEqual(say("The tool said: nothing"));
  });
});

describe("without a script", () => {
  test("what was said is said again, without what agents put around it", () => {
    const wrapped = "<current_datetime>now</current_datetime>\n<user_request>hello</user_request>";
    expect(answer([system("Be good."), user(wrapped)])).toEqual(say("You said: hello"));
  });

  test("and without a message there is a greeting", () => {
    expect(answer([])).toEqual(say("Hello from the stub model."));
  });
});

test("recalls what the user said before in the conversation", () => {
  const before = [
    user("<environment_context>x</environment_context>"),
    user("one"),
    model("ok"),
    user("two [[say b]]"),
  ];
  expect(answer([...before, model("b"), user("[[recall]]")])).toEqual(
    say("You said before:\n1. one\n2. two [[say b]]"),
  );
  expect(answer([user("[[recall]]")])).toEqual(say("You said nothing before."));
});

describe("a script that cannot be followed", () => {
  test.each([
    ["[[ask Why?]]", "No tool asks the user. There are: bash, create."],
    ["[[call fly]]", "No tool is called fly. There are: bash, create."],
    ["[[call bash {oops}]]", "What [[call bash]] gives is no JSON object: {oops}"],
    ["[[call bash [1]]]", "What [[call bash]] gives is no JSON object: [1]"],
    ["[[wait long]] [[run ls]]", "[[wait]] takes milliseconds, 600000 at most: [[wait 500]]."],
  ])("is answered with the reason: %s", (script, reason) => {
    expect(answer([user(script)])).toEqual(say(`This script cannot be followed: ${reason}`));
  });

  test("calls nothing where there are no tools", () => {
    expect(answer([user("[[run ls]]")], [])).toEqual(
      say("This script cannot be followed: No tool runs a command. There are none."),
    );
  });
});

describe("what an agent asks for itself", () => {
  const script = user("[[fail 500]] [[run ls]]");

  test("a title is a few words, and no step", () => {
    const title = say("A stub conversation");
    expect(answer([system("You are a title generator."), script], [])).toEqual(title);
    expect(answer([user("Generate a title for this conversation:"), script], [])).toEqual(title);
  });

  test("JSON is what the schema takes, and no step, whatever tools are there", () => {
    const schema = { type: "object", properties: { title: text }, required: ["title"] };
    expect(answer([script], usual, { schema })).toEqual(say('{"title":"stub title"}'));
    expect(answer([script], [], { schema })).toEqual(say('{"title":"stub title"}'));
  });
});

describe("a failure", () => {
  test("is the whole answer, as often as it is asked for", () => {
    const script = [user("[[say a]] [[fail 503 Busy]] [[run ls]]")];
    for (let i = 0; i < 3; i++) expect(answer(script)).toEqual({ status: 503, message: "Busy" });
  });

  test("comes where it stands", () => {
    const script = user("[[run ls]] [[fail 503 Busy]]");
    expect(answer([script])).toEqual(running("ls"));
    expect(answer([script, ...called("1")])).toEqual({ status: 503, message: "Busy" });
  });

  test("of so many times is over after them, and the next conversation of the same words has it again", () => {
    const failures = new Failures();
    const statuses = Array.from({ length: 6 }, () => {
      const given = answer([user("[[fail 429 Slow x2]] [[say ok]]")], usual, {}, failures);
      return "status" in given ? given.status : given.parts;
    });
    const ok = [{ kind: "say", text: "ok" }];
    expect(statuses).toEqual([429, 429, ok, 429, 429, ok]);
  });

  test("is counted for a bounded number of conversations", () => {
    const failures = new Failures();
    const asked = (words: string) => answer([user(`${words} [[fail 429 Slow x1]] [[say ok]]`)], usual, {}, failures);
    asked("first");
    for (let i = 0; i < 1000; i++) asked(`${i}`);
    expect(asked("999")).toEqual(say("ok"));
    expect(asked("first")).toEqual({ status: 429, message: "Slow" });
  });
});
