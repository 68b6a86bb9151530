import { changeSession, engineOfNew, listedEngines, modelsFor } from "../../engine-choice.ts";
import type { Desk } from "./desk.ts";
import type { Told, UiHandlers } from "./handlers.ts";
import type { Node } from "./services.ts";

type ModelHandlers = Pick<UiHandlers, "model.list" | "model.set" | "engine.list" | "engine.set">;

/** What does the work of new sessions here: what the UI has chosen, or else what this process was started with. */
export function usualFor({ engine, model }: Node, { chosen }: Told): { engine: string; model?: string } {
  if (chosen === undefined) return { engine, model };
  return { engine: chosen.engine, model: chosen.model ?? (chosen.engine === engine ? model : undefined) };
}

/** An engine knows its own models, whoever provides them: the provider that a UI names is the one that it is told. */
export function modelHandlers(desk: Desk, told: Told): ModelHandlers {
  const working = async (sessionId: string | undefined) =>
    (await desk.meant(sessionId)) ?? usualFor(await desk.node(), told);

  /** Of the session that is meant; where none is named, also of those that begin later. Gives the model that does the work then. */
  const change = async (sessionId: string | undefined, wanted: { engine?: string; model?: string }) => {
    const node = await desk.node();
    const { runtime } = node;
    const session = await desk.meant(sessionId);
    const before = session ?? usualFor(node, told);
    const { engine = before.engine, model = engine === before.engine ? before.model : undefined } = wanted;
    if (session) await changeSession(runtime, await runtime.open(session.sessionId), session, wanted);
    else await engineOfNew({ runtime, ...before }, wanted); // fails where there is none such
    if (!sessionId) told.chosen = { engine, model };
    return session ? model : usualFor(node, told).model;
  };

  return {
    "model.list": async ({ provider, include_details, engine: wanted, session_id }) => {
      const { runtime } = await desk.node();
      const now = await working(session_id);
      const { models, note, engine, current: named } = await modelsFor(runtime, wanted, now);
      const only = engine === now.engine && models.length === 1 ? models[0]?.id : undefined;
      const details = models.map(({ id, contextWindow, maxOutput }) => [
        id,
        { context_window: contextWindow, max_output_tokens: maxOutput },
      ]);
      const about = { provider, models: models.map(({ id }) => id), current: named ?? only, engine, note };
      return { ...about, ...(include_details && { details: Object.fromEntries(details) }) };
    },
    "model.set": ({ provider, name, session_id }) =>
      desk.inTurn(async () => {
        await change(session_id, { model: name });
        return { provider, name };
      }),
    "engine.list": async ({ session_id }) => {
      const engines = listedEngines(await desk.node());
      return { engines, current: (await working(session_id)).engine };
    },
    "engine.set": ({ name, model, session_id }) =>
      desk.inTurn(async () => ({ name, model: await change(session_id, { engine: name, model }) })),
  };
}
