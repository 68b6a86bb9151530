import { describe, expect, test } from "vitest";
import { builtinEngine, withInterfaces } from "../../../engines/index.ts";
import { customizationsIn } from "../../../generator/emitting/customizations.ts";
import { faultsOf } from "../../../testing/check-log.ts";
import { descriptions } from "../../../testing/descriptions.ts";
import { untilAborted } from "../../../testing/one-session.ts";
import { readAll } from "../../../testing/read-all.ts";
import { scripted } from "../../../testing/scripted.ts";
import { type Host, studioNodes } from "../../../testing/studio-wire.ts";

// Interfaces as a host has them made and changed, with the engine that needs no model.

const newNode = studioNodes();
const builtin = () => newNode({ engines: [withInterfaces(builtinEngine(), { advises: false })] });
const [petstore] = descriptions(["petstore.yaml"]);
const source = { name: petstore.name, text: petstore.text() };
const made = { format: "react", spec: petstore.spec() };

const errorOf = async ({ wire }: Host, method: string, params: unknown) => (await wire.rpc(method, params)).error;
const codeOf = async (host: Host, method: string, params: unknown) => (await errorOf(host, method, params))?.code;

describe("generate", () => {
  test("streams the code, and answers with the same, with how many screens it has, and what it is", async () => {
    const host = await builtin().open();
    host.ask(2, "generate", {
      ...made,
      theme: "dark",
      options: { layout: "default", includeAuth: true, pagination: true },
    });
    const { result } = (await host.answer(2)) as { result: Record<string, unknown> };
    const chunks = host.wire.messages.filter(({ method }) => method === "stream/chunk").map(({ params }) => params);
    expect(chunks.map(({ index }) => index)).toEqual(chunks.map((_, at) => at));
    expect(chunks.map(({ done }) => done)).toEqual([...Array(chunks.length - 1).fill(false), true]);
    expect(chunks.map(({ chunk }) => chunk).join("")).toBe(result.code);
    expect(chunks.length).toBeGreaterThan(5);
    expect(result).toEqual({
      code: expect.stringContaining('theme: "dark"'),
      componentCount: 15,
      description:
        "Generated interface with 19 endpoints: 3 resources, data tables, detail views, forms and a dashboard",
      version: 1,
    });
  });

  test("without streaming there are no chunks, and the code is the same", async () => {
    const [one, other] = [await builtin().open(), await builtin().open({ streaming: false })];
    const [streamed, whole] = await Promise.all([one, other].map(({ wire }) => wire.result("generate", made)));
    expect(whole).toEqual(streamed);
    expect(other.wire.messages.filter(({ method }) => method === "stream/chunk")).toEqual([]);
  });

  test("takes corrections of what would be inferred", async () => {
    const { wire } = await builtin().open();
    const options = { corrections: { "pet.name": "Beast" } };
    const { code } = (await wire.result("generate", { ...made, options })) as { code: string };
    expect(code).toContain('name: "Beast"');
  });

  test("takes a description as it was written", async () => {
    const { wire } = await builtin().open();
    const [fromSpec, fromSource] = [
      await wire.result("generate", made),
      await wire.result("generate", { format: "react", source, fresh: true }),
    ];
    expect(fromSource).toEqual({ ...(fromSpec as object), version: 2 });
  });

  test("is a run of a session like any other", async () => {
    const node = builtin();
    const host = await node.open();
    await host.wire.result("generate", made);
    const [session] = await node.store.sessions({ limit: 1 });
    const log = await readAll(node.store, session?.sessionId ?? "");
    expect(faultsOf(log, { ended: true })).toEqual([]);
    expect(log.filter(({ type }) => type === "step.started").map((event) => "title" in event && event.title)).toEqual([
      "Understanding Swagger Petstore - OpenAPI 3.0",
      "Writing 15 screens",
    ]);
  });
});

describe("customize", () => {
  test("changes the code it is given, and tells what it took for granted", async () => {
    const { wire } = await builtin().open();
    const { code } = (await wire.result("generate", made)) as { code: string };
    const history = [
      { role: "user", content: "Generate an interface for this API" },
      { role: "assistant", content: "Generated interface with 19 endpoints" },
    ];
    const result = await wire.result("customize", {
      currentCode: code,
      prompt: "20 per page",
      spec: made.spec,
      history,
    });
    expect(result).toEqual({
      code: expect.stringContaining('{ change: "pageSize", size: 20, said: "20 per page" }'),
      description: "Lists show 20 rows per page.",
      assumptions: ["In all lists, since none was named"],
      clarificationNeeded: false,
      version: 2,
    });
  });

  test("asks what it must know, and goes on with the answer, whether the host sends the history or not", async () => {
    const { wire } = await builtin().open();
    await wire.result("generate", made);
    const asked = (await wire.result("customize", { prompt: "rename status to State" })) as { question: string };
    expect(asked).toEqual({
      code: null,
      clarificationNeeded: true,
      question: "“Status” is in Pets and Orders. Where do you mean it?",
      options: ["Pets", "Orders", "Both"],
    });
    const withoutHistory = (await wire.result("customize", { prompt: "Orders" })) as { code: string };
    expect(customizationsIn(withoutHistory.code)).toEqual([
      {
        change: "fieldLabel",
        resource: "order",
        field: "status",
        label: "State",
        said: "rename status to State (Orders)",
      },
    ]);
    const history = [
      { role: "user", content: "rename status to State" },
      { role: "assistant", content: asked.question },
    ];
    const withHistory = (await wire.result("customize", { version: 1, prompt: "Both", history })) as { code: string };
    expect(customizationsIn(withHistory.code)).toEqual([
      { change: "fieldLabel", field: "status", label: "State", said: "rename status to State (Both)" },
    ]);
  });

  test("requests are done one after the other, each on what the one before made, and one that fails stops none", async () => {
    const host = await builtin().open();
    await host.wire.result("generate", made);
    const prompts = ["dark mode", "make me a sandwich", "20 per page"];
    const answers = await Promise.all(prompts.map((prompt) => host.wire.rpc("customize", { prompt })));
    expect(answers.map(({ result, error }) => result?.version ?? error?.code)).toEqual([2, -32001, 3]);
    const last = answers[2]?.result as { code: string };
    expect(customizationsIn(last.code)?.map(({ change }) => change)).toEqual(["theme", "pageSize"]);
  });
});

describe("versions", () => {
  const told = async () => {
    const host = await builtin().open();
    await host.wire.result("generate", made);
    await host.wire.result("customize", { prompt: "dark mode" });
    await host.wire.result("customize", { prompt: "show pets as cards" });
    return host;
  };

  test("are told, compared, and gone back to as a new one", async () => {
    const { wire } = await told();
    const reverted = await wire.result("version/revert", { version: 2 });
    expect(reverted).toEqual({
      code: expect.stringContaining('{ change: "theme", theme: "dark", said: "dark mode" }'),
      description: "Back to version 2: The interface is dark.",
      version: 4,
    });
    const { versions } = (await wire.result("version/list", {})) as { versions: Record<string, unknown>[] };
    expect(versions.map(({ version, kind, prompt, description }) => [version, kind, prompt, description])).toEqual([
      [
        1,
        "generation",
        "Generate a react interface for Swagger Petstore - OpenAPI 3.0 1.0.27-SNAPSHOT",
        expect.stringContaining("19 endpoints"),
      ],
      [2, "customization", "dark mode", "The interface is dark."],
      [3, "customization", "show pets as cards", "Pets are shown as cards."],
      [4, "rollback", "Go back to version 2", "Back to version 2: The interface is dark."],
    ]);
    expect(versions.map(({ assumptions, of }) => [assumptions, of])).toEqual([
      [undefined, undefined],
      [[], 1],
      [[], 2],
      [undefined, 2],
    ]);
    const [second, fourth] = await Promise.all([2, 4].map((version) => wire.result("version/get", { version })));
    expect((fourth as { code: string }).code).toBe((second as { code: string }).code);
    const { diff } = (await wire.result("version/diff", { from: 3, to: 4 })) as { diff: string };
    const taken = diff.split("\n").filter((line) => line.startsWith("-") && line.includes("cards"));
    expect(taken).toEqual(['-  { change: "view", resource: "pet", view: "cards", said: "show pets as cards" },']);
    expect(diff).toMatch(/^--- version-3\.tsx.*\n\+\+\+ version-4\.tsx/m);
  });

  test("what there is none of is told", async () => {
    const { wire } = await told();
    const refusal = expect.objectContaining({
      code: -32602,
      message: "There is no version 9. The session has versions 1 to 3.",
    });
    const calls = ["version/get", "version/revert", "customize"].map((method) =>
      wire.rpc(method, { version: 9, prompt: "x" }),
    );
    const errors = (await Promise.all(calls)).map(({ error }) => error);
    expect(errors.slice(0, 2)).toEqual([refusal, refusal]);
    expect(errors[2]?.message).toContain("There is no version 9");
  });

  test("a description that changed makes the next one, with what was wished for", async () => {
    const { wire } = await told();
    const changed = source.text.replaceAll("photoUrls", "pictures");
    await wire.result("customize", { prompt: "show the photo urls column" });
    const again = await wire.result("generate", { format: "react", source: { ...source, text: changed } });
    expect(again).toMatchObject({
      version: 5,
      kept: 2,
      conflicts: [{ said: "show the photo urls column", why: 'There is no field "photoUrls" in Pets any more.' }],
      description: expect.stringContaining("2 customizations hold in it, too."),
    });
  });
});

describe("each number of the document's errors", () => {
  test("-32700, -32600, -32601 and -32602: what is sent is wrong", async () => {
    const host = await builtin().open();
    host.wire.raw("{ not json");
    host.wire.send({ jsonrpc: "2.0", id: 5 });
    const failed = (code: number) => host.wire.message(({ error }) => error?.code === code, `the error ${code}`);
    expect((await failed(-32700)).id).toBe(null);
    expect((await failed(-32600)).id).toBe(5);
    expect(await codeOf(host, "compile", {})).toBe(-32601);
    expect(await codeOf(host, "generate", { ...made, format: "vue" })).toBe(-32602);
    expect(await codeOf(host, "customize", { currentCode: "" })).toBe(-32602);
  });

  test("-32603: a fault of ours", async () => {
    const broken = scripted(async () => {
      throw new Error("a fault");
    });
    const host = await newNode({ engines: [broken] }).open();
    expect(await codeOf(host, "chat", { message: "hi" })).toBe(-32603);
  });

  test("-32000: the generation fails", async () => {
    const broken = withInterfaces(
      scripted(async () => ""),
      { advises: false },
    );
    const failing = await newNode({
      engines: [{ ...broken, run: () => Promise.reject(new Error("no memory")) }],
    }).open();
    expect(await codeOf(failing, "generate", made)).toBe(-32000);
  });

  test("-32001: the customization cannot be applied, and why is told", async () => {
    const host = await builtin().open();
    await host.wire.result("generate", made);
    const refusal = await errorOf(host, "customize", { prompt: "colorless green ideas sleep furiously" });
    expect(refusal).toMatchObject({
      code: -32001,
      message: expect.stringMatching(/^Sorry, I could not make anything of “colorless/),
    });
    expect(await codeOf(host, "customize", { currentCode: "alert(1)", prompt: "dark mode" })).toBe(-32001);
  });

  test("-32002: the spec, or the description, is invalid, and where is told", async () => {
    const host = await builtin().open();
    expect(await errorOf(host, "generate", { ...made, spec: { ...made.spec, models: 3 } })).toMatchObject({
      code: -32002,
      message: expect.stringContaining("models"),
    });
    const broken = { name: "a.yaml", text: "openapi: 3.0.0\npaths: [" };
    expect(await codeOf(host, "generate", { format: "react", source: broken })).toBe(-32002);
    expect(await codeOf(host, "generate", { format: "react" })).toBe(-32002);
  });

  test("-32003: more than the engine takes", async () => {
    const host = await builtin().open();
    const large = "x".repeat(2 * 1024 * 1024 + 1);
    expect(await codeOf(host, "customize", { currentCode: large, prompt: "dark mode" })).toBe(-32003);
    const history = Array.from({ length: 3 }, () => ({ role: "user", content: "x".repeat(1024 * 1024) }));
    expect(await codeOf(host, "customize", { currentCode: "x", prompt: "dark mode", history })).toBe(-32003);
  });

  test("-32004: a hundred wait, and one more is too many", async () => {
    const slow = scripted(async (_, __, signal) => {
      await untilAborted(signal);
      return "";
    });
    const host = await newNode({ engines: [slow] }).open();
    for (let id = 1; id <= 101; id++) host.ask(id, "chat", { message: "wait" });
    expect(await codeOf(host, "chat", { message: "one more" })).toBe(-32004);
  });
});

test("every description that is read here is a spec that a host may send, and gives the same interface", async () => {
  const { wire } = await builtin().open({ streaming: false });
  for (const { name, text, spec } of descriptions([
    "petstore.yaml",
    "museum.yaml",
    "swapi.graphql",
    "library.swagger.yaml",
    "circular.yaml",
  ])) {
    const bySource = await wire.result("generate", { format: "react", source: { name, text: text() }, fresh: true });
    const bySpec = await wire.result("generate", {
      format: "react",
      spec: JSON.parse(JSON.stringify(spec())),
      fresh: true,
    });
    expect([name, (bySpec as { code: string }).code === (bySource as { code: string }).code]).toEqual([name, true]);
  }
});

describe("chat", () => {
  test("knows what the document's host asks, and what one could do next", async () => {
    const { wire } = await builtin().open();
    const asked = {
      message: "What formats do you support?",
      context: { hasActiveSpec: false, hasActiveInterface: false },
    };
    expect(await wire.result("chat", asked)).toEqual({
      message: expect.stringMatching(/^I support OpenAPI 3\.0, 3\.1 and 3\.2, Swagger 2\.0, and GraphQL/),
      suggestions: ["Upload a spec file", "Paste a URL", "Paste spec content"],
    });
    await wire.result("generate", made);
    const later = (await wire.result("chat", { message: "hello" })) as { suggestions: string[] };
    expect(later.suggestions).toEqual([
      "Show pets as cards",
      "Sort pets by name",
      "Hide the id column in pets",
      "Dark mode",
    ]);
    const answers = await Promise.all(later.suggestions.map((prompt) => wire.rpc("customize", { version: 1, prompt })));
    expect(answers.map(({ result }) => result?.clarificationNeeded)).toEqual([false, false, false, false]);
  });

  test("a change that is asked for in a chat is told to be one", async () => {
    const { wire } = await builtin().open();
    await wire.result("generate", made);
    const asked = { message: "hide the id column", context: { hasActiveInterface: true } };
    const { message } = (await wire.result("chat", asked)) as { message: string };
    expect(message).toContain("The column “ID” is hidden in Pets.");
  });
});
