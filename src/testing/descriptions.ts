import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { NormalizedSpec } from "../generator/normalized-spec.ts";
import { readDescription } from "../generator/reading/read-description.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const ownDescriptions = join(root, "test/descriptions");
/** Published ones, too large to be kept with the project; tests use them where they are there. */
export const publishedDescriptions = resolve(root, process.env.DRAGOMAN_SPECS ?? "../shared/specs");

export interface TestDescription {
  name: string;
  text(): string;
  spec(): NormalizedSpec;
}

/** Those of the project, then those that happen to be there. */
export function descriptions<const Own extends string[]>(names: Own, alsoPublished: string[] = []) {
  const published = alsoPublished.map((name) => join(publishedDescriptions, name)).filter((path) => existsSync(path));
  const all = [...names.map((name) => join(ownDescriptions, name)), ...published];
  return all.map(described) as [TestDescription, ...TestDescription[]];
}

function described(path: string): TestDescription {
  const name = path.split("/").at(-1) ?? path;
  const text = () => readFileSync(path, "utf8");
  return { name, text, spec: () => readDescription([{ name, text: text() }]).spec };
}
