import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import type { Tool } from "../core/tool.ts";
import { executedTarget, intentToLook } from "./intended.ts";
import { fileError, openFile } from "./open-file.ts";
import { readLines } from "./read-lines.ts";

const args = z.object({
  path: z.string().min(1).describe("The file, from the workspace or absolute."),
  startLine: z.int().min(1).default(1).describe("The first line, counted from 1."),
  maxLines: z.int().min(1).max(10_000).default(2000),
});

export const read: Tool<z.infer<typeof args>> = {
  name: "read",
  description:
    "Reads lines of a text file. Says how many lines it has, and whether there are more (truncated); very long lines are cut.",
  kind: "read",
  risk: "read",
  args,
  intent: (args, context) => intentToLook((path) => `Read ${path}`, args, context),

  async run(args, context, io) {
    const target = await executedTarget(args, context, false);
    const handle = await openFile(target);
    try {
      const lines = await readLines(handle, args, io.signal);
      if (lines === "binary") {
        throw new DragomanError("tool_failed", `${target.path} is a binary file, so there is no text to read in it.`);
      }
      const { totalLines = args.startLine } = lines;
      if (args.startLine > Math.max(totalLines, 1)) {
        throw new DragomanError(
          "invalid_tool_args",
          `${target.path} has ${totalLines} lines, so none is ${args.startLine}.`,
        );
      }
      const { content, ...counts } = lines;
      return { result: { path: target.path, content, startLine: args.startLine, ...counts } };
    } catch (error) {
      throw error instanceof DragomanError ? error : fileError(error, target.path);
    } finally {
      await handle.close();
    }
  },
};
