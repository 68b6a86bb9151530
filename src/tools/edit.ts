import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import type { Target, Tool } from "../core/tool.ts";
import { executeChange, intentToChange, type Plan, plannedChange } from "./file-change.ts";
import { textOf } from "./file-content.ts";

const args = z.object({
  path: z.string().min(1).describe("The file, from the workspace or absolute."),
  find: z.string().min(1).max(1_000_000).describe("The text to be replaced, exactly as it is in the file."),
  replace: z.string().max(1_000_000).describe("What takes its place."),
  all: z
    .boolean()
    .default(false)
    .describe("Whether to replace it wherever it is; otherwise it must be there only once."),
});
type Args = z.infer<typeof args>;

const MAX_CHARACTERS = 10_000_000;
const MARK = Buffer.from("\uFEFF", "utf8");

export const edit: Tool<Args> = {
  name: "edit",
  description:
    "Replaces a text in a file by another one. The text must be in it exactly once, or all of them are replaced.",
  kind: "edit",
  risk: "edit",
  args,
  intent: (args, context) => intentToChange("Edit", args, context, planOf(args)),
  run: (args, context) => executeChange(args, context, planOf(args)),
  /** It writes the file as it is to become, since what is to be replaced may be found in another way elsewhere. */
  client: async (args, context) => {
    const { after, result } = await plannedChange(args, context, planOf(args));
    const content = after.toString("utf8");
    return { tool: "write", args: { path: args.path, content }, result: () => ({ path: args.path, ...result }) };
  },
};

const planOf =
  (args: Args): Plan =>
  (target, before) => {
    if (!before) throw failed(`There is no ${target.path}. Use write to make it.`);
    const text = textOf(before);
    if (text === undefined) throw failed(`${target.path} is not UTF-8 text, so it cannot be edited.`);
    const { after, replacements } = edited(text, args, target);
    const mark = before.subarray(0, MARK.length).equals(MARK) ? MARK : Buffer.alloc(0);
    return { after: Buffer.concat([mark, Buffer.from(after, "utf8")]), result: { replacements } };
  };

function edited(text: string, { find, replace, all }: Args, { path }: Target) {
  const inItsWay = lineEnds(text);
  const [from, to] = [inItsWay(find), inItsWay(replace)];
  if (from === to)
    throw new DragomanError("invalid_tool_args", "find and replace are the same, so nothing would change.");
  const parts = text.split(from);
  const replacements = parts.length - 1;
  if (replacements === 0) {
    throw failed(
      `The text to be replaced is not in ${path}. Read the file, and copy the text exactly, spaces included.`,
    );
  }
  if (replacements > 1 && !all) {
    throw failed(
      `The text to be replaced is in ${path} ${replacements} times. Give more of what is around it, or set all to true.`,
    );
  }
  if (text.length + replacements * (to.length - from.length) > MAX_CHARACTERS) {
    throw failed(`${path} would become too large. Replace less at once.`);
  }
  return { after: parts.join(to), replacements };
}

/** Whoever reads a file with CRLF line ends hardly ever writes them: where all lines of a file have them, new ones get them too. */
function lineEnds(text: string): (piece: string) => string {
  const hasCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  return (piece) => (hasCrlf ? piece.replace(/\r?\n/g, "\r\n") : piece);
}

const failed = (message: string) => new DragomanError("tool_failed", message);
