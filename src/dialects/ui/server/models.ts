import { DragomanError } from "../../../core/errors.ts";
import type { Desk } from "./desk.ts";
import type { Told, UiHandlers } from "./handlers.ts";

type ModelHandlers = Pick<UiHandlers, "model.list" | "model.set">;

/** An engine knows its own models, whoever provides them: the provider that a UI names is the one that it is told. */
export function modelHandlers(desk: Desk, told: Told): ModelHandlers {
  const offered = async () => {
    const { runtime, engine, model } = await desk.node();
    const session = desk.currentId === undefined ? undefined : await runtime.store.session(desk.currentId);
    const name = session?.engine ?? engine;
    const models = (await runtime.engines.find((each) => each.name === name)?.models()) ?? [];
    return { models, current: session?.model ?? told.model ?? model ?? models[0]?.id };
  };
  return {
    "model.list": async ({ provider, include_details }) => {
      const { models, current } = await offered();
      const details = models.map(({ id, contextWindow, maxOutput }) => [
        id,
        { context_window: contextWindow, max_output_tokens: maxOutput },
      ]);
      const names = models.map(({ id }) => id);
      return { provider, models: names, current, ...(include_details && { details: Object.fromEntries(details) }) };
    },
    "model.set": ({ provider, name }) =>
      desk.inTurn(async () => {
        const { models } = await offered();
        if (!models.some(({ id }) => id === name)) {
          const known = models.map(({ id }) => id).join(", ") || "none";
          const message = `There is no model ${JSON.stringify(name)} here. There is: ${known}.`;
          throw new DragomanError("invalid_params", message);
        }
        const { runtime } = await desk.node();
        if (desk.currentId !== undefined) await (await runtime.open(desk.currentId)).update({ model: name });
        told.model = name;
        return { provider, name };
      }),
  };
}
