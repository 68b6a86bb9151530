import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ownDescriptions } from "../testing/descriptions.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { customizeCommand } from "./customize.ts";
import { generateCommand } from "./generate.ts";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const flags = { open: false, theme: "light", layout: "side", auth: true, pagination: true } as const;

function output() {
  const said: string[] = [];
  return { said, isTTY: false, write: (text: string) => said.push(text) > 0 };
}

async function ran(
  work: (streams: { stdout: ReturnType<typeof output>; stderr: ReturnType<typeof output> }) => Promise<number>,
) {
  const [stdout, stderr] = [output(), output()];
  const code = await work({ stdout, stderr });
  return { code, stdout: stdout.said.join(""), stderr: stderr.said.join("") };
}

const generating = (spec: string, more: object) =>
  ran((streams) => generateCommand([spec], { ...flags, ...more }, streams));
const customizing = (where: string, prompt: string, more = {}) =>
  ran((streams) => customizeCommand(where, prompt, more, { stdin: process.stdin, ...streams }));

const petstore = join(ownDescriptions, "petstore.yaml");

beforeAll(async () => {
  await generating(petstore, { out: at("shop") });
});

test("a project is changed in its file of customizations alone, and a new description keeps them", async () => {
  const done = await customizing(at("shop"), "show pets as cards");
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("Pets are shown as cards.")]);
  await customizing(at("shop"), "show the photo urls column");
  const changed = at("changed.yaml");
  writeFileSync(changed, readFileSync(petstore, "utf8").replaceAll("photoUrls", "pictures"));
  const again = await generating(changed, { out: at("shop") });
  expect(again.stderr).toContain("1 customization holds.");
  expect(again.stderr).toContain(
    'no longer fits: show the photo urls column: There is no field "photoUrls" in Pets any more.',
  );
  const text = readFileSync(at("shop", "src", "customizations.ts"), "utf8");
  expect(text).toContain('{ change: "view", resource: "pet", view: "cards", said: "show pets as cards" }');
  expect(readFileSync(at("shop", "src", "resources", "pet.ts"), "utf8")).toContain("pictures");
});

test("a module is changed, too", async () => {
  const made = await generating(petstore, {});
  writeFileSync(at("app.tsx"), made.stdout);
  const done = await customizing(at("app.tsx"), "dark mode", { json: true });
  expect([done.code, JSON.parse(done.stdout)]).toEqual([
    0,
    expect.objectContaining({ kind: "changed", description: "The interface is dark." }),
  ]);
  expect(readFileSync(at("app.tsx"), "utf8")).toContain('{ change: "theme", theme: "dark", said: "dark mode" }');
});

test("what is not clear is asked, and may be answered in the command", async () => {
  const asked = await customizing(at("shop"), "rename status to State");
  expect([asked.code, asked.stderr]).toEqual([
    1,
    expect.stringMatching(/Where do you mean it\?\n {2}1\. Orders\n {2}2\. Pets\n {2}3\. Both\nAnswer with --answer/),
  ]);
  const done = await customizing(at("shop"), "rename status to State", { answer: ["1"] });
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("is called “State” in Orders")]);
});

test("what cannot be done says so, and changes nothing", async () => {
  const before = readFileSync(at("shop", "src", "customizations.ts"), "utf8");
  expect((await customizing(at("shop"), "make me a sandwich")).code).toBe(1);
  expect(readFileSync(at("shop", "src", "customizations.ts"), "utf8")).toBe(before);
  await expect(customizing(at("nowhere"), "dark mode")).rejects.toThrow("dragoman generate");
  writeFileSync(at("hello.tsx"), "export default () => null;\n");
  expect(await customizing(at("hello.tsx"), "dark mode")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not the code of an interface"),
  });
});
