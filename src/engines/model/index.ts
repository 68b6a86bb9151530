import type { Engine, Turn } from "../../core/engine.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { noModel } from "./endpoint-failure.ts";
import { ModelList } from "./model-list.ts";
import type { ModelOptions } from "./model-options.ts";
import { runTurn } from "./model-run.ts";

export type { ModelOptions } from "./model-options.ts";

/** A model without an agent around it: it is asked, and answers. */
export function modelEngine(options: ModelOptions): Engine {
  const models = new ModelList(options);

  const modelFor = async (turn: Turn): Promise<string> => {
    const named = turn.model ?? options.model ?? (await models.list())[0]?.id;
    if (named === undefined) throw noModel(options);
    return named;
  };

  return {
    name: "model",
    models: () => models.list(),
    run: async (turn, io, signal) => {
      signal.throwIfAborted();
      const model = await unlessAborted(signal, modelFor(turn));
      return runTurn({ options, turn, model, window: models.windowOf(model), io, signal });
    },
  };
}
