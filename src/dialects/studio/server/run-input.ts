import type * as z from "zod";
import type { RunRequest } from "../../../core/session.ts";
import type { calls } from "../calls.ts";
import { parseSpec } from "../normalized-spec.ts";

type Params<Method extends "generate" | "customize" | "chat"> = z.output<(typeof calls)[Method]["params"]>;
type Asked = Pick<RunRequest, "kind" | "input">;

/** The whole of what was sent goes to the engine: it may understand more of it than is named here. */
export function generation({ format, context: _, ...wishes }: Params<"generate">): Asked {
  const { spec, source } = wishes;
  const text = `Generate a ${format} interface for ${source && !spec ? source.name || "a description" : named(spec)}`;
  return { kind: "generation", input: { text, action: "generate", args: { format, ...wishes } } };
}

/** Throws where it is none, which is told with a number of its own. */
function named(spec: unknown): string {
  const { title, version } = parseSpec(spec).metadata;
  return `${title} ${version}`;
}

export const reverting = (version: number): Asked => ({
  kind: "generation",
  input: { text: `Go back to version ${version}`, action: "revert", args: { version } },
});

export function customization({ prompt: text, context: _, ...given }: Params<"customize">): Asked {
  if (given.spec !== undefined) parseSpec(given.spec);
  return { kind: "generation", input: { text, action: "customize", args: given } };
}

/** Words like any other prompt: every engine understands those, and none has to know an action for them. */
export function chat({ message: text, context = {} }: Params<"chat">): Asked {
  return { kind: "prompt", input: { text, args: { context } } };
}
