import { DragomanError } from "../core/errors.ts";
import type { Intent, Target, ToolContext, ToolResult } from "../core/tool.ts";
import { textOf } from "./file-content.ts";
import { fileDiff } from "./file-diff.ts";
import { basisOf, checkBasis, executedTarget, intendedTarget, showBasis } from "./intended.ts";
import { type FileState, fileState, replaceFile } from "./replace-file.ts";

/** What becomes of a file. */
export interface Change {
  after: Buffer;
  /** What whoever asked for the call is told about it. */
  result: Record<string, unknown>;
}

/** Works out what becomes of the file from what it is now. Throws if that cannot be. */
export type Plan = (target: Target, before: Buffer | undefined) => Change;

export async function intentToChange(
  verb: string,
  args: { path: string },
  context: ToolContext,
  plan: Plan,
): Promise<Intent> {
  const target = await intendedTarget(args, context, true);
  const intent: Intent = { title: `${verb} ${target.path}`, targets: [target], path: target.path };
  try {
    const { content } = await fileState(target);
    const { after } = plan(target, content);
    return { ...intent, diff: diffOf(target, content, after), basis: showBasis(args, target, content) };
  } catch (error) {
    // Why it cannot be would tell whoever asks for it, again and again, what is in a file that they may not read.
    if (target.outside && error instanceof DragomanError) return { ...intent, basis: basisOf(target) };
    throw error;
  }
}

/** What would become of the file. */
export async function plannedChange(args: { path: string }, context: ToolContext, plan: Plan): Promise<Change> {
  const target = await intendedTarget(args, context, true);
  const { content } = await fileState(target);
  return plan(target, content);
}

export async function executeChange(args: { path: string }, context: ToolContext, plan: Plan): Promise<ToolResult> {
  const target = await executedTarget(args, context, true);
  const before: FileState = await fileState(target);
  checkBasis(args, target, before.content);
  const { after, result } = plan(target, before.content);
  await replaceFile(target, before, after);
  return { result: { path: target.path, ...result }, diff: diffOf(target, before.content, after) };
}

function diffOf({ path }: Target, before: Buffer | undefined, after: Buffer): string | undefined {
  if (!before) return fileDiff(path, undefined, after.toString("utf8"));
  if (before.equals(after)) return undefined;
  const text = textOf(before);
  const diff = fileDiff(path, text ?? "", after.toString("utf8"));
  return text === undefined ? `${diff ?? ""}\\ What was there before is not text.\n` : diff;
}
