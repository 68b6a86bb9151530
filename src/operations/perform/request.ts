import * as z from "zod";
import type { Turn } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";

export const operationNames = ["clarify", "analyze", "plan"] as const;
export type OperationName = (typeof operationNames)[number];

/** Whose documents: a feature's, or those beside a file. */
export type Target = { feature: string } | { file: string };

export interface OperationRequest {
  name: OperationName;
  target: Target;
  /** Whether what is saved is pushed; as configured, if not said. */
  push?: boolean;
  /** Documents that are there already are replaced without a question. */
  replace: boolean;
}

const argsSchema = z.object({
  feature: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  push: z.boolean().optional(),
  replace: z.boolean().default(false),
});

export function isOperation({ input }: Pick<Turn, "input">): boolean {
  return operationNames.some((name) => name === input.action);
}

/** What a turn asks for. */
export function requestOf({ input }: Pick<Turn, "input">): OperationRequest {
  const name = operationNames.find((known) => known === input.action);
  const args = argsSchema.safeParse(input.args ?? {});
  if (!name || !args.success) {
    const why = args.error ? z.prettifyError(args.error) : `There is no operation "${input.action}".`;
    throw new DragomanError("invalid_params", `Not an operation that can be done: ${why}`);
  }
  const { feature, file, push, replace } = args.data;
  if ((feature === undefined) === (file === undefined)) {
    throw new DragomanError("invalid_params", `Say either which feature or which file to ${name}.`);
  }
  const target = feature === undefined ? { file: file ?? "" } : { feature };
  return { name, target, push, replace };
}
