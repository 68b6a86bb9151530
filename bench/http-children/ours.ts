import type { Engine } from "../../src/core/engine.ts";
import { serveEngine } from "../../src/testing/serve-engine.ts";
import { MODELS, TITLE } from "./payload.ts";

// `dragoman serve` as it is, with an engine that says as much as it is asked to.

const flood: Engine = {
  name: "flood",
  models: async () => MODELS,
  run: async (turn, io) => {
    const count = Number(turn.input.text);
    for (let number = 0; number < count; number++) {
      await io.emit({ type: "step.started", stepId: "step", title: TITLE, number });
    }
    return { text: "" };
  },
};

await serveEngine(flood);
