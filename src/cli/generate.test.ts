import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { builtCommand } from "../testing/built-command.ts";
import { TerminalProcess } from "../testing/cli-process.ts";

// The bundled command, as a user has it.

const folder = mkdtempSync(join(tmpdir(), "dragoman-generate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string) => fileURLToPath(new URL(`../../test/descriptions/${name}`, import.meta.url));
const env = { ...process.env, DRAGOMAN_HOME: join(folder, "home") };
const launch = (args: string[]) => spawn(process.execPath, [builtCommand, "generate", ...args], { cwd: folder, env });

async function generate(args: string[], input = "") {
  const child = launch(args);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (data) => (stdout += data));
  child.stderr.setEncoding("utf8").on("data", (data) => (stderr += data));
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, stdout, stderr };
}

const smallest = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Notes\u001b[31m", version: "1" },
  paths: { "/notes": { get: { responses: { 200: { description: "all" } } } } },
});

test("a description in, one module out, and what is said about it beside", async () => {
  const { code, stdout, stderr } = await generate([fixture("petstore.yaml"), "--theme", "dark"]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      "Reading petstore.yaml\nUnderstanding Swagger Petstore - OpenAPI 3.0\n" +
      "Swagger Petstore - OpenAPI 3.0 1.0.27-SNAPSHOT: Generated interface with 19 endpoints: " +
      "3 resources, data tables, detail views, forms and a dashboard.\n",
  });
  expect(stdout).toContain("export default function App(");
  expect(stdout).toContain('theme: "dark"');
});

test("--out writes a project, the same bytes each time, and tells the next step", async () => {
  const { code, stdout, stderr } = await generate([fixture("petstore.yaml"), "--out", "shop"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toMatch(/Wrote \d+ files. Next: cd shop && npm install && npm run dev\n$/);
  const before = readFileSync(join(folder, "shop/.dragoman.json"), "utf8");
  for (const path of ["package.json", "index.html", "README.md", "src/main.tsx", "src/resources/pet.ts"])
    expect(existsSync(join(folder, "shop", path))).toBe(true);
  expect((await generate([fixture("petstore.yaml"), "--out", "shop"])).code).toBe(0);
  expect(readFileSync(join(folder, "shop/.dragoman.json"), "utf8")).toBe(before);
});

/** Serves it, and says where it is to be seen. */
async function served(args: string[]) {
  const child = launch([...args, "--serve", "--no-open"]);
  let stderr = "";
  const link = await new Promise<string>((resolve) =>
    child.stderr.setEncoding("utf8").on("data", (data) => {
      stderr += data;
      const [found] = /http:\S+(?= \(once)/.exec(stderr) ?? [];
      if (found) resolve(found);
    }),
  );
  const end = async () => {
    child.kill("SIGTERM");
    return new Promise((resolve) => child.on("close", resolve));
  };
  return { link: new URL(link), end };
}

test("--serve shows it in the preview to whoever has the link, until it is told to end", async () => {
  const { link, end } = await served([fixture("petstore.yaml"), "--theme", "dark"]);
  expect((await fetch(`${link.origin}/preview/frame?session=${link.hash.slice(1)}`)).status).toBe(401);
  const signedIn = await fetch(link, { redirect: "manual" });
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/preview"]);
  const [cookie = ""] = signedIn.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  const frame = () => fetch(`${link.origin}/preview/frame?session=${link.hash.slice(1)}`, { headers: { cookie } });
  await expect.poll(async () => (await frame()).status).toBe(200);
  const text = await (await frame()).text();
  expect(text).toContain("Swagger Petstore - OpenAPI 3.0");
  expect(text).toMatch(/theme:\s*"dark"/);
  expect(await end()).toBe(0);
});

test("--serve shows what several files describe, too", async () => {
  mkdirSync(join(folder, "parts"), { recursive: true });
  const schema = { $ref: "memo.json" };
  const answers = {
    200: { description: "all", content: { "application/json": { schema: { type: "array", items: schema } } } },
  };
  const main = {
    openapi: "3.0.0",
    info: { title: "Memos", version: "1" },
    paths: { "/memos": { get: { responses: answers } } },
  };
  writeFileSync(join(folder, "parts/openapi.json"), JSON.stringify(main));
  writeFileSync(join(folder, "parts/memo.json"), '{"type":"object","properties":{"headline":{"type":"string"}}}');
  const { link, end } = await served(["parts/"]);
  const token = readFileSync(join(folder, "home/token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  const frame = () => fetch(`${link.origin}/preview/frame?session=${link.hash.slice(1)}`, { headers });
  await expect.poll(async () => (await frame()).status).toBe(200);
  expect(await (await frame()).text()).toContain("Headline");
  await end();
});

test("on a terminal it shows what it does, and no code", async () => {
  const args = ["generate", fixture("petstore.yaml")];
  const terminal = new TerminalProcess({ child: builtCommand, home: join(folder, "home"), cwd: folder, args });
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.raw).toContain("Understanding Swagger Petstore");
  expect(terminal.text.split("\n").length).toBeLessThan(6);
  expect(terminal.text).toMatch(/^Swagger Petstore .*--serve/s);
});

test("it is read from stdin, and its title cannot speak to the terminal", async () => {
  const { code, stdout, stderr } = await generate(["-"], smallest);
  expect(code).toBe(0);
  expect(stderr).not.toContain("\u001b");
  expect(stdout).toContain("export default function App(");
});

test("a description in several files is read with those that were given, and only those", async () => {
  mkdirSync(join(folder, "split/schemas"), { recursive: true });
  const main = {
    openapi: "3.0.0",
    info: { title: "Split", version: "1" },
    paths: {
      "/notes": {
        get: {
          responses: {
            200: {
              description: "all",
              content: { "application/json": { schema: { type: "array", items: { $ref: "schemas/note.json" } } } },
            },
          },
        },
      },
    },
  };
  writeFileSync(join(folder, "split/openapi.json"), JSON.stringify(main));
  writeFileSync(
    join(folder, "split/schemas/note.json"),
    JSON.stringify({ type: "object", properties: { headline: { type: "string" } } }),
  );
  const alone = await generate(["split/openapi.json"]);
  expect(alone.stdout).not.toContain("Headline");
  expect(alone.stderr).toContain("schemas/note.json");
  for (const given of [
    ["split/"],
    ["./split/openapi.json", "split"],
    ["split/openapi.json", "split/schemas"],
    ["split/openapi.json", "split/schemas/note.json"],
  ]) {
    const { stdout, stderr } = await generate(given);
    expect(stderr).not.toContain("warning");
    expect(stdout).toContain('"Headline"');
  }
  const schema = "type Query { notes: [Note] }\ntype Note { id: ID! }\n";
  mkdirSync(join(folder, "graph"));
  writeFileSync(join(folder, "graph/schema.graphql"), schema);
  expect((await generate(["./graph/schema.graphql", "graph"])).stderr).not.toContain("warning");
});

test("an address inside the network is read if it was allowed, and else refused with what to do", async () => {
  const server = createServer((_, response) => response.end(smallest));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refused = await generate([`http://${host}/openapi.json`]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`--allow-host ${host}`);
  const read = await generate([`http://${host}/openapi.json`, "--allow-host", host]);
  expect(read.code).toBe(0);
  server.close();
});

test("what was inferred can be seen and corrected", async () => {
  const report = await generate([fixture("petstore.yaml"), "--json"]);
  const { inferences, title } = JSON.parse(report.stdout);
  expect(title).toBe("Swagger Petstore - OpenAPI 3.0");
  expect(inferences.find(({ about }: { about: string }) => about === "pet.name")).toMatchObject({ value: "Pet" });
  const corrected = await generate([fixture("petstore.yaml"), "--correct", "pet.name=Animal"]);
  expect(corrected.stdout).toContain('name: "Animal"');
  writeFileSync(join(folder, "corrections.json"), JSON.stringify({ "pet.name": "Beast" }));
  const byFile = await generate([fixture("petstore.yaml"), "--corrections", "corrections.json"]);
  expect(byFile.stdout).toContain('name: "Beast"');
});

const wrong: [claim: string, args: string[], input: string, told: RegExp][] = [
  ["a file that is not there", ["nothing.yaml"], "", /There is no file nothing.yaml/],
  ["text that is no description", ["-"], "hello there", /OpenAPI.*Swagger.*GraphQL/s],
  ["a syntax error", ["-"], '{\n  "openapi": 3.0.0\n}', /line 2/],
  [
    "a description without operations",
    ["-"],
    '{"openapi":"3.0.0","info":{"title":"a","version":"1"},"paths":{}}',
    /paths/,
  ],
  ["an unknown theme", ["-", "--theme", "pink"], "", /light, dark, system/],
  ["a correction without a value", ["-", "--correct", "pet.name"], "", /name.*=.*value/],
];

test.each(wrong)("%s is told precisely", async (_, args, input, told) => {
  const { code, stdout, stderr } = await generate(args, input);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(told);
});
