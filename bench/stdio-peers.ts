import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build, bundle } from "../scripts/build.mjs";
import { parseJson } from "../src/transports/json.ts";
import { NdjsonDecoder } from "../src/transports/ndjson.ts";

export const project = fileURLToPath(new URL("..", import.meta.url));
export const folder = mkdtempSync(join(tmpdir(), "dragoman-bench-"));
export const command = join(project, "node_modules", ".dragoman-bench", "dist"); // from where dependencies are found
const peers = join(project, "node_modules", ".dragoman-bench", "peers");
const children: ChildProcess[] = [];
let files = 0;

export function endChildren(): void {
  for (const child of children) if (child.exitCode === null) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

export async function buildChildren(): Promise<void> {
  await build(command);
  mkdirSync(peers, { recursive: true });
  writeFileSync(join(peers, "package.json"), '{ "type": "module" }');
  const names = ["ours", "bare", "acp", "vscode"];
  await bundle(Object.fromEntries(names.map((name) => [name, `${project}bench/stdio-children/${name}.ts`])), peers);
}

export function start(args: string[]): ChildProcess & { stdin: Writable; stdout: Readable } {
  const env = { ...process.env, DRAGOMAN_HOME: folder };
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"], cwd: folder, env });
  children.push(child);
  child.once("exit", (code) => {
    if (code) throw new Error(`${args.join(" ")} ended with ${code}`); // nobody would wait for it in vain
  });
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
