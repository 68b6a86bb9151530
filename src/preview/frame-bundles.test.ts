import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageFolder } from "../core/package-folder.ts";
import { generate } from "../generator/generate.ts";
import { ownDescriptions } from "../testing/descriptions.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { describedApi } from "./described-api.ts";
import { FrameBundles } from "./frame-bundles.ts";

const frameFolder = fileURLToPath(new URL("../page/preview/frame/", import.meta.url));
const newBundles = () => new FrameBundles({ packageFolder: packageFolder(), frameFolder });
const showing = (text: string) => `export default function Shown() { return <h1>${text}</h1>; }`;

test("the same code is bundled once, also when it is asked for twice at a time", async () => {
  const bundles = newBundles();
  const [one, two] = [bundles.of(showing("a")), bundles.of(showing("a"))];
  expect(one).toBe(two);
  expect(await bundles.of(showing("b"))).not.toEqual(await one);
  expect(bundles.of(showing("a"))).toBe(one);
});

test("of many the oldest are forgotten", async () => {
  const bundles = newBundles();
  const first = bundles.of("eval(0)");
  for (let at = 1; at <= 24; at++) await bundles.of(`eval(${at})`);
  expect(bundles.of("eval(24)")).not.toBe(first);
  expect(bundles.of("eval(0)")).not.toBe(first);
});

test("what does not build is told, and tried again the next time", async () => {
  const bundles = newBundles();
  const twice = `const a = 1; export default a; export { a as default };`;
  const first = bundles.of(twice);
  await expect(first).rejects.toMatchObject({ code: "generation_failed" });
  const second = bundles.of(twice);
  expect(second).not.toBe(first);
  await expect(second).rejects.toThrow("The interface does not build");
});

test("the code of an interface says what its API is called, where it is and what it takes", () => {
  const { code } = generate(specOf(readFileSync(join(ownDescriptions, "petstore.yaml"), "utf8")));
  expect(describedApi(code)).toEqual({
    title: "Swagger Petstore - OpenAPI 3.0",
    servers: ["https://petstore3.swagger.io/api/v3"],
    auth: [
      { id: "petstore_auth", label: "Petstore auth", kind: "oauth2" },
      { id: "api_key", label: "API key", kind: "apiKey", in: "header", name: "api_key" },
    ],
  });
});

test.each([
  "",
  "const apiDescriptor = 1;",
  "const apiDescriptor: ApiDescriptor = {\n  auth: [steal()],\n  servers: 1,\n};",
])("what is not written as it is generated is not known: %j", (code) => {
  expect(describedApi(code)).toEqual({ title: "Interface", servers: [], auth: [] });
});
