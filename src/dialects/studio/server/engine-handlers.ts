import { DragomanError } from "../../../core/errors.ts";
import { changeSession, listedEngines, modelsFor } from "../../engine-choice.ts";
import type { HandlerOptions, StudioHandlers } from "./handlers.ts";
import { listedSession } from "./session-handlers.ts";

type EngineHandlers = Pick<StudioHandlers, "session/update" | "engine/list" | "model/list">;

/** What does the work of sessions, and what there is to do it. */
export function engineHandlers({ sessions, visible, services }: HandlerOptions): EngineHandlers {
  return {
    // One after the other: a request that came before makes the session that is meant.
    "session/update": ({ sessionId, tabId, engine, model, title }) =>
      sessions.inTurn(async () => {
        const id = sessions.idOf({ sessionId, tabId });
        if (id === undefined) throw notMadeYet();
        const { runtime } = await sessions.node();
        const before = await visible.known(id);
        await changeSession(runtime, await runtime.open(id), before, { engine, model, title });
        return listedSession(await visible.known(id), services);
      }),
    "engine/list": async () => ({ engines: listedEngines(await sessions.node()) }),
    "model/list": async ({ engine: wanted, sessionId, tabId }) => {
      const node = await sessions.node();
      const id = sessions.idOf({ sessionId, tabId });
      const now = id === undefined ? node : await visible.known(id);
      const { models, ...about } = await modelsFor(node.runtime, wanted, now);
      return {
        ...about,
        models: models.map(({ id: model, name, contextWindow }) => ({ id: model, name, contextWindow })),
      };
    },
  };
}

function notMadeYet(): DragomanError {
  const advice = "Its first request makes it, with the engine and the model in its context.";
  return new DragomanError("session_not_found", `There is no session yet. ${advice}`);
}
