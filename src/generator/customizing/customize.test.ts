import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { descriptions, publishedDescriptions } from "../../testing/descriptions.ts";
import { customizationsIn } from "../emitting/customizations.ts";
import { generate } from "../generate.ts";
import { customized } from "../kit/customizing/customized.ts";
import { type Customized, customize } from "./customize.ts";
import { readInterface } from "./read-interface.ts";
import { type Request, requests } from "./requests.test.data.ts";
import { ambiguous, nonsense, otherWords } from "./unclear-requests.test.data.ts";

const published = ["swagger2/docker_engine.yaml", "openapi3/octokit_api.github.com.json"].filter((path) =>
  existsSync(join(publishedDescriptions, path)),
);
const own = ["petstore.yaml", "museum.yaml", "swapi.graphql", "library.swagger.yaml"];
const codes = new Map(descriptions(own, published).map(({ name, spec }) => [name, generate(spec()).code]));
const codeOf = (name: string) => codes.get(name) ?? "";

const changed = (result: Customized) => {
  if (result.kind !== "changed") throw new Error(JSON.stringify(result).slice(0, 300));
  return result;
};

/** What an interface is made of, part by part, as it is shown. */
function partsOf(code: string): Map<string, string> {
  const read = readInterface(code);
  if (!read) throw new Error("The code cannot be read.");
  const { api, resources, settings } = customized(read.descriptor, read.customizations);
  const { title, summaries, actions, ...rest } = api;
  const entries = resources.map(({ id, name, plural, group, hidden }) => ({ id, name, plural, group, hidden }));
  const parts: [string, unknown][] = [
    ["title", title],
    ["figures", summaries],
    ["actions", actions],
    ["rest", rest],
    ["settings", settings],
    ["navigation", entries],
    ...resources.map(({ id, load }): [string, unknown] => [id, load()]),
  ];
  return new Map(parts.map(([name, part]) => [name, JSON.stringify(part)]));
}

const all = [...codes.keys()].flatMap((name) => (requests[name] ?? []).map((request) => ({ name, ...request })));

test("there are enough of them", () => {
  expect(own.flatMap((name) => requests[name] ?? []).length).toBeGreaterThanOrEqual(50);
  expect(ambiguous).toHaveLength(12);
});

describe("what people say", () => {
  test.each<Request & { name: string }>(all)("$name: $says", ({ name, says, wishes, touches }) => {
    const before = codeOf(name);
    const after = changed(customize({ code: before, prompt: says })).code;
    expect(customizationsIn(after)).toEqual(wishes.map((wish) => ({ ...wish, said: says })));
    expect(withoutConstant(after)).toBe(withoutConstant(before));
    const [was, is] = [partsOf(before), partsOf(after)];
    expect([...is.keys()].filter((part) => is.get(part) !== was.get(part)).sort()).toEqual([...touches].sort());
  });
});

test.each(otherWords)("other words are understood, too: %s", (says, told) => {
  const { description } = changed(customize({ code: codeOf("petstore.yaml"), prompt: says }));
  expect(description).toBe(`${told}.`);
});

const withoutConstant = (code: string) => code.replace(/^const customizations[\s\S]*?;$/m, "");

describe("what has several meanings is asked, and the answer goes on from there", () => {
  test.each(ambiguous)("$of: $says", ({ of, says, options, answer, wishes }) => {
    const code = codeOf(of);
    const asked = customize({ code, prompt: says });
    if (asked.kind !== "question") throw new Error(`It was not asked: ${asked.kind}`);
    expect(asked.options).toEqual(options);
    const history = [
      { role: "user" as const, content: says },
      { role: "assistant" as const, content: asked.question },
    ];
    const result = changed(customize({ code, prompt: answer, history }));
    const said = expect.stringContaining(`${says} (`);
    expect(customizationsIn(result.code)).toEqual(wishes.map((wish) => ({ ...wish, said })));
  });
});

test.each(nonsense)("nonsense is declined politely, and changes nothing: %s", (says) => {
  const result = customize({ code: codeOf("petstore.yaml"), prompt: says });
  expect(result).toEqual({ kind: "declined", message: expect.any(String), isFinal: expect.any(Boolean) });
  expect((result as { message: string }).message.length).toBeLessThan(500);
});

test("another request after a question is one of its own", () => {
  const history = [
    { role: "user" as const, content: "rename status to State" },
    { role: "assistant" as const, content: "“Status” is in Pets and Orders. Where do you mean it?" },
  ];
  const result = changed(customize({ code: codeOf("petstore.yaml"), prompt: "dark mode", history }));
  expect(result.wishes).toEqual([{ change: "theme", theme: "dark" }]);
});

test("what was talked about last is what is meant, and that is told", () => {
  const history = [
    { role: "user" as const, content: "sort orders by quantity" },
    { role: "assistant" as const, content: "Orders are sorted by “Quantity”." },
  ];
  const result = changed(customize({ code: codeOf("petstore.yaml"), prompt: "rename status to State", history }));
  expect(result.wishes).toEqual([{ change: "fieldLabel", resource: "order", field: "status", label: "State" }]);
  expect(result.assumptions).toEqual(["Orders, since that is what was talked about"]);
});

test("several questions are asked one after the other", () => {
  const code = codeOf("petstore.yaml");
  const prompt = "rename status to State and hide the status";
  const first = customize({ code, prompt });
  if (first.kind !== "question") throw new Error("It was not asked.");
  const history = [
    { role: "user" as const, content: prompt },
    { role: "assistant" as const, content: first.question },
  ];
  const second = customize({ code, prompt: "Pets", history });
  if (second.kind !== "question") throw new Error("It was not asked again.");
  const more = [
    ...history,
    { role: "user" as const, content: "Pets" },
    { role: "assistant" as const, content: second.question },
  ];
  const done = changed(customize({ code, prompt: "Orders", history: more }));
  expect(new Set(done.wishes.map((wish) => ("resource" in wish ? wish.resource : "")))).toEqual(
    new Set(["pet", "order"]),
  );
});

test("what was asked for is undone request by request, or as a whole", () => {
  const prompts = ["dark mode", "make orders read-only", "20 per page"];
  const made = [codeOf("petstore.yaml")];
  for (const prompt of prompts) made.push(changed(customize({ code: made.at(-1) ?? "", prompt })).code);
  const [first = "", second, third = "", last = ""] = made;
  const undo = (code: string) => changed(customize({ code, prompt: "undo" })).code;
  expect([undo(last), undo(third)]).toEqual([third, second]);
  expect(changed(customize({ code: last, prompt: "reset everything" })).code).toBe(first);
  expect(customize({ code: first, prompt: "undo" }).kind).toBe("declined");
});

test("what is so already is told, and is not written twice", () => {
  const once = changed(customize({ code: codeOf("petstore.yaml"), prompt: "dark mode" }));
  const twice = changed(customize({ code: once.code, prompt: "make it dark" }));
  expect([twice.code === once.code, twice.assumptions]).toEqual([true, ["It was so already"]]);
});

test("what was renamed is known by its new name", () => {
  const renamed = changed(customize({ code: codeOf("petstore.yaml"), prompt: "rename Pet to Animal" }));
  const result = changed(customize({ code: renamed.code, prompt: "show animals as cards" }));
  expect(result.wishes).toEqual([{ change: "view", resource: "pet", view: "cards" }]);
});

test("code that was not generated here is left alone", () => {
  const result = customize({ code: "export default () => <b>Hello</b>;", prompt: "dark mode" });
  expect(result).toEqual({ kind: "declined", message: expect.stringContaining("without a model"), isFinal: false });
});

test("no words take long", () => {
  const hostile = [
    "hide ".repeat(60),
    "the ".repeat(75),
    `sort ${"by ".repeat(90)}`,
    `${"a and ".repeat(48)}b`,
    "(".repeat(300),
  ];
  const slow = hostile.filter((prompt) => {
    const from = performance.now();
    customize({ code: codeOf("petstore.yaml"), prompt });
    return performance.now() - from > 3000;
  });
  expect(slow).toEqual([]);
});
