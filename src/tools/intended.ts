import { createHash } from "node:crypto";
import { DragomanError } from "../core/errors.ts";
import type { Intent, Target, ToolContext } from "../core/tool.ts";
import { movedError } from "./open-file.ts";
import { targetOf } from "./workspace-path.ts";

interface PathArgs {
  path: string;
}

// Where a call was meant to go when its intent was judged: a link that is turned elsewhere after that must not be followed. Kept by
// the arguments, which are the same ones when the call is executed, with what was there then, where that was shown.
const judged = new WeakMap<PathArgs, { real: string; basis?: string }>();

/** The target of a call whose intent is asked for. */
export async function intendedTarget(args: PathArgs, context: ToolContext, writes: boolean): Promise<Target> {
  const target = await targetOf(args.path, context, { writes });
  judged.set(args, { real: target.real });
  return target;
}

/** The target of a call that is executed. Fails if it is not the one that its intent named. */
export async function executedTarget(args: PathArgs, context: ToolContext, writes: boolean): Promise<Target> {
  const target = await targetOf(args.path, context, { writes });
  if ((judged.get(args) ?? target).real !== target.real) throw movedError(args.path);
  return target;
}

/** What the intent has shown is what is agreed to. */
export function showBasis(args: PathArgs, target: Target, content: Uint8Array | undefined): string {
  const basis = basisOf(target, content);
  judged.set(args, { real: target.real, basis });
  return basis;
}

/** Fails if the file is not what it was when the intent showed it. */
export function checkBasis(args: PathArgs, target: Target, content: Uint8Array | undefined): void {
  const shown = judged.get(args)?.basis;
  if (shown === undefined || shown === basisOf(target, content)) return;
  throw new DragomanError("conflict", `${target.path} was changed by someone else in the meantime. Read it again.`);
}

/** What a person's answer relies on: where it goes, and what is there now. */
export function basisOf({ real }: Target, content?: Uint8Array): string {
  const place = `${real}\0${content ? "there" : "absent"}\0`;
  return createHash("sha256")
    .update(place)
    .update(content ?? "")
    .digest("hex");
}

/** Of a call that only looks: nothing more than where it looks. */
export async function intentToLook(
  title: (path: string) => string,
  args: PathArgs,
  context: ToolContext,
): Promise<Intent> {
  const target = await intendedTarget(args, context, false);
  return { title: title(target.path), targets: [target], basis: basisOf(target) };
}
