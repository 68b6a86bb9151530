import { isAbsolute, relative } from "node:path";
import * as z from "zod";
import { boundedDiff, fileDiff } from "../../tools/file-diff.ts";

const LONGEST_TEXT = 200_000;
/** To compare more takes longer than anybody waits for it. */
const LONGEST_COMPARED = 2 * 1024 * 1024;

const textSchema = z.object({ type: z.literal("text"), text: z.string() });
const contentSchema = z.object({ type: z.literal("content"), content: textSchema });
const diffSchema = z.object({
  type: z.literal("diff"),
  path: z.string(),
  oldText: z.string().nullish().catch(undefined),
  newText: z.string(),
});
const locationSchema = z.object({ path: z.string().min(1) });

/** The text of a block of content, where it has one. */
export function textOf(block: unknown): string {
  return textSchema.safeParse(block).data?.text ?? "";
}

/** What a call shows, as text. */
export function textIn(content: readonly unknown[]): string {
  const texts = content.flatMap((each) => contentSchema.safeParse(each).data?.content.text ?? []);
  return texts.join("\n").slice(0, LONGEST_TEXT).toWellFormed();
}

export function changedPaths(content: readonly unknown[]): string[] {
  return content.flatMap((each) => diffSchema.safeParse(each).data?.path ?? []);
}

export function pathsOf(locations: readonly unknown[]): string[] {
  return locations.flatMap((each) => locationSchema.safeParse(each).data?.path ?? []);
}

/** The changes that a call makes to files, as one unified diff. */
export function diffIn(content: readonly unknown[], workspace: string): string | undefined {
  const diffs = content.flatMap((each) => {
    const { data } = diffSchema.safeParse(each);
    if (!data || data.newText.length + (data.oldText?.length ?? 0) > LONGEST_COMPARED) return [];
    return fileDiff(shownPath(data.path, workspace), data.oldText || undefined, data.newText) ?? [];
  });
  return diffs.length > 0 ? boundedDiff(diffs.join("")) : undefined;
}

function shownPath(path: string, workspace: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(workspace, path);
  return inside.startsWith("..") ? path.replace(/^\/+/, "") : inside;
}
