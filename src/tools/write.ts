import * as z from "zod";
import type { Tool } from "../core/tool.ts";
import { fieldsOf } from "./client-results.ts";
import { executeChange, intentToChange, type Plan, plannedChange } from "./file-change.ts";

const args = z.object({
  path: z.string().min(1).describe("The file, from the workspace or absolute. Folders above it are made."),
  content: z.string().max(5_000_000).describe("All that the file is to have in it."),
});
type Args = z.infer<typeof args>;

export const write: Tool<Args> = {
  name: "write",
  description: "Writes a file, new or in place of the one that is there. To change a part of a file, use edit.",
  kind: "edit",
  risk: "edit",
  args,
  intent: (args, context) => intentToChange("Write", args, context, planOf(args)),
  run: (args, context) => executeChange(args, context, planOf(args)),
  client: async (args, context) => {
    const { result } = await plannedChange(args, context, planOf(args));
    return { result: (given) => ({ path: args.path, ...result, ...fieldsOf(given, { created: z.boolean() }) }) };
  },
};

const planOf =
  ({ content }: Args): Plan =>
  (_target, before) => {
    const after = Buffer.from(content, "utf8");
    return { after, result: { created: before === undefined, bytes: after.length } };
  };
