import type { Engine } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import { checkModel } from "../dialects/models.ts";

/** What does the work of new sessions, as a command names it. */
export interface Chosen {
  engine?: string;
  model?: string;
}

/** Fails where there is no such engine, or where it says that it does not have that model. */
export async function checkChosen(engines: Engine[], engine: string, model: string | undefined): Promise<void> {
  if (!engines.some(({ name }) => name === engine)) {
    const known = engines.map(({ name }) => name).join(", ");
    throw new DragomanError("engine_unavailable", `There is no engine "${engine}" here. There is: ${known}.`);
  }
  await checkModel({ engines }, engine, model);
}

/** Whether it is what `checkChosen` says: no later try will do better. */
export const isWrongChoice = (error: unknown) =>
  error instanceof DragomanError && (error.code === "engine_unavailable" || error.code === "invalid_params");
