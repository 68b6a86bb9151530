import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { build, bundle } from "../scripts/build.mjs";
import { parseJson } from "../src/transports/json.ts";
import { NdjsonDecoder } from "../src/transports/ndjson.ts";
import { bundledFor, folder, project, startChild } from "./children.ts";

export const command = bundledFor("dist");
const peers = bundledFor("peers");
let files = 0;

export async function buildChildren(): Promise<void> {
  await build(command);
  mkdirSync(peers, { recursive: true });
  writeFileSync(join(peers, "package.json"), '{ "type": "module" }');
  const names = ["ours", "bare", "acp", "vscode"];
  await bundle(Object.fromEntries(names.map((name) => [name, `${project}bench/stdio-children/${name}.ts`])), peers);
}

export function start(args: string[]): ChildProcess & { stdin: Writable; stdout: Readable } {
  const env = { ...process.env, DRAGOMAN_HOME: folder };
  const child = startChild(args, { stdio: ["pipe", "pipe", "inherit"], cwd: folder, env });
  return child as ChildProcess & { stdin: Writable; stdout: Readable };
}

export const childOf = (name: string) => start([join(peers, `${name}.js`), join(folder, `${files++}.db`)]);

export type Wire = {
  send(message: unknown): void;
  onMessage(listener: (message: Record<string, unknown>) => void): void;
  end(): void;
};

/** Lines of JSON, parsed as a client of ours does it. */
export function wireOf(child: { stdin: Writable; stdout: Readable }): Wire {
  const decoder = new NdjsonDecoder();
  let listener: (message: Record<string, unknown>) => void = () => {};
  child.stdout.on("data", (chunk: Buffer) => {
    for (const line of decoder.push(chunk))
      if (typeof line === "string") listener(parseJson(line) as Record<string, unknown>);
  });
  return {
    send: (message) => child.stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`),
    onMessage: (next) => {
      listener = next;
    },
    end: () => child.stdin.end(),
  };
}
