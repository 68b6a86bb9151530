import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import type { CorpusRow } from "./corpus-one.ts";
import { embedKit } from "./embed-kit.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

export function descriptionsIn(folder: string): string[] {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const found = isThere ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const described = found.filter((path) => /\.(?:json|ya?ml|graphql)$/.test(path) && !/labelled/.test(path)).sort();
  // What lies beside or below a file of this name are parts of it.
  const split = described.filter((path) => /\/openapi\.[^/]+$/.test(path));
  return described.filter((path) => !split.some((main) => path !== main && path.startsWith(`${dirname(main)}/`)));
}

/** A program as one file, which is all that it may read. */
export async function bundled(entry: string): Promise<string> {
  await embedKit();
  const outfile = join(tmpdir(), `dragoman-${process.pid}-${entry.replace(/\W+/g, "-")}.mjs`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "warning",
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
  });
  return outfile;
}

/** What a program makes of a description, in a process that can read nothing else. */
export const runOn = (program: string, folder: string, path: string): Promise<CorpusRow> =>
  runOnText(program, relative(folder, join(folder, path)), readFileSync(join(folder, path)));

export async function runOnText(program: string, name: string, text: string | Buffer): Promise<CorpusRow> {
  const flags = ["--experimental-permission", "--no-warnings", `--allow-fs-read=${program}`];
  const child = spawn(process.execPath, [...flags, program, name]);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (data) => (out += data));
  child.stderr.setEncoding("utf8").on("data", (data) => (err += data));
  child.stdin.on("error", () => {}); // it ended before it had read all
  child.stdin.end(text);
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code === 0) return JSON.parse(out);
  throw new Error(`${name}: ended with ${code}: ${err.slice(-500)}`);
}
