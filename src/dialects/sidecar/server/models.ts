import type { Model } from "../../../core/engine.ts";
import { DragomanError } from "../../../core/errors.ts";
import type { Runtime } from "../../../core/runtime.ts";

/** Of an engine that is not here there are none. */
export async function modelsOf(runtime: Runtime, engine: string): Promise<Model[]> {
  return (await runtime.engines.find(({ name }) => name === engine)?.models()) ?? [];
}

/** An engine that lists none takes any. */
export async function checkModel(runtime: Runtime, engine: string, model: string | undefined): Promise<void> {
  if (model === undefined) return;
  const models = await modelsOf(runtime, engine);
  if (models.length === 0 || models.some(({ id }) => id === model)) return;
  const known = models.map(({ id }) => id).join(", ");
  throw new DragomanError("invalid_params", `There is no model ${JSON.stringify(model)} here. There is: ${known}.`);
}
