import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CorpusRow } from "../scripts/corpus-one.ts";
import { bundled, runOn } from "../scripts/corpus-run.ts";
import { ownDescriptions, publishedDescriptions } from "../src/testing/descriptions.ts";
import { type Figure, median, report } from "./report.ts";

// From a description to an interface, beside parsing and upgrading the same file with the libraries that we use for it, by turns, each in a
// process of its own.
//
//   time    from the text to the code; of the other, to the upgraded document.
//   memory  the most that the process had, Node itself included.

const ROUNDS = 5;

type Measured = Pick<CorpusRow, "ms" | "peakMb">;

const candidates: { name: string; folder: string; path: string; mostMs?: number; mostMb?: number }[] = [
  { name: "petstore", folder: ownDescriptions, path: "petstore.yaml", mostMs: 300 },
  { name: "docker", folder: publishedDescriptions, path: "swagger2/docker_engine.yaml" },
  { name: "kubernetes", folder: publishedDescriptions, path: "openapi3/kubernetes_batch_v1.json" },
  {
    name: "github",
    folder: publishedDescriptions,
    path: "openapi3/octokit_api.github.com.json",
    mostMs: 3000,
    mostMb: 400,
  },
];

const ours = await bundled("scripts/corpus-one.ts");
const bare = await bundled("bench/generate-children/bare.ts");
const figures: Figure[] = [];
for (const { name, folder, path, mostMs, mostMb } of candidates) {
  if (!statSync(join(folder, path), { throwIfNoEntry: false })) {
    console.log(`${name}: ${path} is not there, so it is not measured`);
    continue;
  }
  const rounds: Record<"ours" | "bare", Measured>[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await runOn(ours, folder, path), bare: await runOn(bare, folder, path) });
  const of = (side: "ours" | "bare", value: (row: Measured) => number) =>
    median(rounds.map((round) => value(round[side])));
  const ms = (row: Measured) => row.ms.whole;
  const mb = (row: Measured) => row.peakMb;
  figures.push({ name: `${name}: time`, unit: "ms", ours: of("ours", ms), bare: of("bare", ms), most: mostMs });
  figures.push({ name: `${name}: memory`, unit: "MB", ours: of("ours", mb), bare: of("bare", mb), most: mostMb });
}
for (const program of [ours, bare]) rmSync(program);
if (!report(figures)) process.exitCode = 1;
