import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NormalizedSpec } from "../generator/normalized-spec.ts";
import { readDescription } from "../generator/reading/read-description.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const own = join(root, "test/descriptions");
/** Published ones, too large to be kept with the project; tests use them where they are there. */
const published = join(root, process.env.DRAGOMAN_SPECS ?? "../shared/specs");

export interface TestDescription {
  name: string;
  text(): string;
  spec(): NormalizedSpec;
}

/** Those of the project, then those that happen to be there. */
export function descriptions<const Own extends string[]>(names: Own, alsoPublished: string[] = []) {
  const there = alsoPublished.filter((name) => existsSync(join(published, name)));
  const all = [...names.map((name) => join(own, name)), ...there.map((name) => join(published, name))];
  return all.map(described) as [TestDescription, ...TestDescription[]];
}

function described(path: string): TestDescription {
  const name = path.split("/").at(-1) ?? path;
  const text = () => readFileSync(path, "utf8");
  return { name, text, spec: () => readDescription([{ name, text: text() }]).spec };
}
