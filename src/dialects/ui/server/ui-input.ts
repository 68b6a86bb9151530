import type * as z from "zod";
import type { RunInput } from "../../../core/events.ts";
import type { calls, uiContext } from "../calls.ts";

export type UiContext = z.output<typeof uiContext>;
type RunStart = z.output<(typeof calls)["run.start"]["params"]>;

/** What a run is given: the text, and what the user has before their eyes. */
export function runInput({ input, meta }: Pick<RunStart, "input" | "meta">, seen: UiContext): RunInput {
  const context = contextOf(seen);
  return {
    text: input.type === "text" ? input.text : textOfParts(input.parts),
    ...(meta && Object.keys(meta).length > 0 && { args: { meta } }),
    ...(context.length > 0 && { context }),
  };
}

/** No engine of ours looks at images, so it says that there was one. */
function textOfParts(parts: { type: string; text?: string }[]): string {
  return parts.map((part) => part.text ?? `[${part.type}]`).join("\n");
}

/** The selection first: it is the more precise. Lines count from 0 there and from 1 here. */
function contextOf({ selection, active_file }: UiContext): NonNullable<RunInput["context"]> {
  const context: NonNullable<RunInput["context"]> = [];
  if (selection) {
    const { start, end } = selection.range;
    const lastLine = end.column === 0 && end.line > start.line ? end.line - 1 : end.line; // the end is exclusive
    const lines = { startLine: start.line + 1, endLine: lastLine + 1 };
    context.push({ path: selection.path, ...lines, content: selection.selected_text });
  }
  if (active_file) context.push({ path: active_file.path });
  return context;
}
