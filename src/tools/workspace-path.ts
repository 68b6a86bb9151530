import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { DragomanError } from "../core/errors.ts";
import type { Target, ToolContext } from "../core/tool.ts";
import { isControlFile } from "./control-files.ts";
import { dataFolder } from "./data-folder.ts";
import { isWithin, realPath } from "./real-path.ts";

/**
 * What a path means that an engine gives, from the workspace or absolute. Whether it lies outside is decided by where it really
 * leads, since that is what a call would touch. `~` is a name like any other.
 */
export async function targetOf(path: string, context: ToolContext, { writes }: { writes: boolean }): Promise<Target> {
  checkPath(path);
  const workspace = await realWorkspace(context);
  const given = resolve(workspace, path);
  const real = await realPath(path, workspace);
  // Dragoman's own data is nobody's workspace, wherever it lies: the tokens in it are not for an engine to read.
  const outside = !isWithin(workspace, real) || isWithin(await realPath(dataFolder(), workspace), real);
  return {
    path: shownAs({ path, given, real, outside, workspace }),
    real,
    outside,
    control: await isControlFile(workspace, [given, real]),
    writes,
  };
}

/** The workspace as it is now, without symlinks. */
export async function realWorkspace({ workspace }: ToolContext): Promise<string> {
  try {
    if ((await stat(workspace)).isDirectory()) return await realpath(workspace);
  } catch {
    // Whatever the reason is, it cannot be worked in.
  }
  throw new DragomanError(
    "tool_failed",
    `The workspace ${workspace} is gone. Put the folder back, or start a session in another one.`,
  );
}

/** With slashes, on every platform. */
export function pathFrom(workspace: string, real: string): string {
  return relative(workspace, real).split(sep).join("/") || ".";
}

function checkPath(path: string): void {
  if (path === "") throw new DragomanError("invalid_tool_args", 'The path is empty. Use "." for the workspace itself.');
  if (path.includes("\0"))
    throw new DragomanError("invalid_tool_args", "The path has a NUL character in it. Leave it out.");
}

interface Found {
  path: string;
  given: string;
  real: string;
  outside: boolean;
  workspace: string;
}

function shownAs({ path, given, real, outside, workspace }: Found): string {
  if (!outside) return pathFrom(workspace, real);
  // Where a link leads out, how it was written would hide where to.
  return isAbsolute(path) || given !== real ? real : pathFrom(workspace, real);
}
