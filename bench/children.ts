import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const project = fileURLToPath(new URL("..", import.meta.url));
/** What a bench writes is in here, and gone after it. */
export const folder = mkdtempSync(join(tmpdir(), "dragoman-bench-"));
const children = new Set<ChildProcess>();

/** Where the children of a bench are bundled to: from there dependencies are found. */
export const bundledFor = (bench: string) => join(project, "node_modules", ".dragoman-bench", bench);

/** Starts a process that the bench needs: if it fails, or someone kills it, so does the bench, which would wait for it in vain. */
export function startChild(args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, args, options);
  children.add(child);
  child.once("exit", (code, signal) => {
    if (!children.delete(child) || code === 0) return;
    endChildren();
    throw new Error(`${args.join(" ")} ended with ${code ?? signal}`);
  });
  return child;
}

export function endChildren(): void {
  const left = [...children];
  children.clear();
  for (const child of left) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
