import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** Compiled code, which threads are handed as it is. */
export type SandboxEngine = object;

// Node has it, but its types do not.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<SandboxEngine> };

let compiled: Promise<SandboxEngine> | undefined;

/** QuickJS, compiled once for all sandboxes: to do that anew is more than a third of the work for a small interface. */
export function sandboxEngine(): Promise<SandboxEngine> {
  compiled ??= compile().catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

async function compile(): Promise<SandboxEngine> {
  const file = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return WebAssembly.compile(await readFile(file));
}
