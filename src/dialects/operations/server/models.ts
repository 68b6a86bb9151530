import type { Engine } from "../../../core/engine.ts";
import { DragomanError } from "../../../core/errors.ts";
import type { Runtime } from "../../../core/runtime.ts";

/** Fails where there is no such engine here, or where it says that it does not have that model. */
export async function checkEngine(runtime: Runtime, name: string, model: string | undefined): Promise<void> {
  const { engines } = runtime;
  const engine = engines.find((one) => one.name === name);
  if (engine) return checkModel(engine, model);
  const known = engines.map((one) => one.name).join(", ");
  throw new DragomanError("engine_unavailable", `There is no engine of that name here. There is: ${known}.`);
}

/** One that lists no models takes any. Of an engine that is not here, another node knows. */
export async function checkModel(engine: Engine | undefined, model: string | undefined): Promise<void> {
  const models = model === undefined ? [] : ((await engine?.models()) ?? []);
  if (models.length === 0 || models.some(({ id }) => id === model)) return;
  const ids = models.map(({ id }) => id);
  throw new DragomanError("invalid_params", `There is no such model. There is: ${ids.join(", ")}.`, { models: ids });
}
