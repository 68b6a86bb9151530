import type { Model } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { Runtime } from "../core/runtime.ts";

type WithEngines = Pick<Runtime, "engines">;

/** Of an engine that is not here there are none. */
export async function modelsOf({ engines }: WithEngines, engine: string): Promise<Model[]> {
  return (await engines.find(({ name }) => name === engine)?.models()) ?? [];
}

/** An engine that lists none takes any. */
export async function checkModel(here: WithEngines, engine: string, model: string | undefined): Promise<void> {
  if (model === undefined) return;
  const models = await modelsOf(here, engine);
  if (models.length === 0 || models.some(({ id }) => id === model)) return;
  const known = models.map(({ id }) => id).join(", ");
  throw new DragomanError("invalid_params", `There is no model ${JSON.stringify(model)} here. There is: ${known}.`);
}
