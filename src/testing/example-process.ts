import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, expect, vi } from "vitest";
import { builtCommand } from "./built-command.ts";
import { installPackage } from "./installed-package.ts";
import type { Place } from "./serve-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const PATIENCE_MS = 20_000;

/** Examples as someone has them who installed the package: real processes, which are ended with the test that began them. */
export function exampleProcesses(...examples: string[]) {
  const folder = temporaryFolder();
  const children: ChildProcess[] = [];
  beforeAll(() => void installPackage(folder.path, ...examples));
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  return (example: string, { home, workspace }: Place, ...args: string[]) => {
    const options = { cwd: workspace, env: { ...process.env, DRAGOMAN_HOME: home } };
    const child = spawn(process.execPath, [join(folder.path, example), ...args], options);
    children.push(child);
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => (said.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (said.stderr += text));
    return {
      child,
      said,
      code: new Promise<number | null>((resolve) => child.once("close", resolve)),
      hears: (text: string) => vi.waitFor(() => expect(said.stderr).toContain(text), PATIENCE_MS),
      /** How often it has said that. */
      times: (text: string) => said.stderr.split(text).length - 1,
    };
  };
}

/** The command of the package, in a terminal beside the example. */
export async function besideIt({ home, workspace }: Place, ...args: string[]): Promise<string> {
  const options = { cwd: workspace, env: { ...process.env, DRAGOMAN_HOME: home } };
  return (await promisify(execFile)(process.execPath, [builtCommand, ...args], options)).stdout;
}
