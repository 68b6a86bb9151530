// What becomes of real descriptions: npm run corpus [folder]. Ends with 1 if one crashes, opens something, or is over its bounds.
import { rmSync } from "node:fs";
import { ownDescriptions, publishedDescriptions } from "../src/testing/descriptions.ts";
import type { CorpusRow } from "./corpus-one.ts";
import { bundled, descriptionsIn, runOn } from "./corpus-run.ts";

const bounds: Record<string, { ms: number; mb: number }> = {
  "openapi3/petstore.yaml": { ms: 300, mb: 400 },
  "openapi3/octokit_api.github.com.json": { ms: 3000, mb: 400 },
};

const program = await bundled("scripts/corpus-one.ts");
const given = process.argv[2];
const folders = given === undefined ? [ownDescriptions, publishedDescriptions] : [given];
console.log(line("description", "outcome", "resources", "lists", "operations", "ms", "MB", "code KB", "warnings"));

let failures = 0;
const totals = { interface: 0, refused: 0, crashed: 0 };
for (const folder of folders) {
  const paths = descriptionsIn(folder);
  if (paths.length === 0) console.log(`${folder} has no descriptions`);
  for (const path of paths) {
    const row = await runOn(program, folder, path).catch((error: Error) => crash(error.message));
    const faults = faultsOf(path, row);
    totals[row.outcome]++;
    failures += faults.length;
    console.log(shown(path, row));
    for (const fault of faults) console.log(`  ${fault}`);
  }
}
rmSync(program);
console.log(`${totals.interface} interfaces, ${totals.refused} refused, ${totals.crashed} crashed, ${failures} faults`);
process.exitCode = failures === 0 ? 0 : 1;

function crash(message: string): CorpusRow {
  const ms = { read: 0, understand: 0, emit: 0, whole: 0 };
  const nothing = {
    resources: 0,
    lists: 0,
    operations: 0,
    warnings: 0,
    codeBytes: 0,
    ms,
    peakMb: 0,
    cpuMs: 0,
    connections: 0,
  };
  return { outcome: "crashed", message, ...nothing };
}

function faultsOf(path: string, { outcome, message, ms, peakMb, connections }: CorpusRow): string[] {
  const bound = bounds[path];
  return [
    ...(outcome === "crashed" ? [`CRASHED ${message}`] : []),
    ...(connections > 0 ? [`ASKED for ${connections} connections`] : []),
    ...(bound && ms.whole > bound.ms ? [`TOO SLOW: at most ${bound.ms} ms`] : []),
    ...(bound && peakMb > bound.mb ? [`TOO LARGE: at most ${bound.mb} MB`] : []),
  ];
}

function shown(path: string, { outcome, message, ms, peakMb, codeBytes, ...row }: CorpusRow): string {
  if (outcome === "refused") return `${path.padEnd(60)} refused    ${message}`;
  const { resources, lists, operations, warnings } = row;
  const kilobytes = Math.round(codeBytes / 1024);
  return line(
    path,
    outcome,
    resources,
    lists,
    operations,
    Math.round(ms.whole),
    Math.round(peakMb),
    kilobytes,
    warnings,
  );
}

function line(path: string, outcome: string, ...numbers: (string | number)[]): string {
  return `${path.padEnd(60)} ${outcome.padEnd(10)}${numbers.map((one) => String(one).padStart(11)).join("")}`;
}
