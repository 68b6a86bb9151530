import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import { customize } from "../src/generator/customizing/customize.ts";
import { generate } from "../src/generator/generate.ts";
import { readDescription } from "../src/generator/reading/read-description.ts";
import { ownDescriptions, publishedDescriptions } from "../src/testing/descriptions.ts";
import { type Figure, median, report } from "./report.ts";

// One request in words, from the code as it is to the code as it should be, beside parsing that code once: the least that an editor of code
// by its syntax does. By turns, in one process.

const ROUNDS = 7;
const REQUEST = "show only 20 per page";

const candidates = [
  { name: "petstore", file: join(ownDescriptions, "petstore.yaml") },
  { name: "docker", file: join(publishedDescriptions, "swagger2/docker_engine.yaml") },
  { name: "github", file: join(publishedDescriptions, "openapi3/octokit_api.github.com.json") },
];

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

const figures: Figure[] = [];
for (const { name, file } of candidates) {
  if (!statSync(file, { throwIfNoEntry: false })) {
    console.log(`${name} is not there, so it is not measured`);
    continue;
  }
  const { spec } = readDescription([{ name: file, text: readFileSync(file, "utf8") }]);
  const { code } = generate(spec);
  const changed = () => {
    const { kind } = customize({ code, prompt: REQUEST });
    if (kind !== "changed") throw new Error(`The request was ${kind}.`);
  };
  const parsed = () => parse(code, { sourceType: "module", plugins: ["typescript", "jsx"] });
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: timed(changed), bare: timed(parsed) }));
  const of = (side: "ours" | "bare") => median(rounds.map((round) => round[side]));
  figures.push({ name: `${name}: customize`, unit: "ms", ours: of("ours"), bare: of("bare"), ceiling: 2 });
}
if (!report(figures)) process.exitCode = 1;
