import { DragomanError } from "../core/errors.ts";
import type { EventOf } from "../core/events.ts";
import { plainText } from "../core/plain-text.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionChange, SessionHandle } from "../core/session-handle.ts";
import type { SessionSummary } from "../core/summary.ts";
import { checkModel, type OfferedModels, offeredModels } from "./models.ts";

/** What of it a client names. */
export interface Wanted {
  engine?: string;
  model?: string;
}

type ChoosesEngines = Pick<Runtime, "engines" | "aboutMissing">;

/** The engine of sessions for which none is named, and its model. */
interface Usual {
  runtime: ChoosesEngines;
  engine: string;
  model?: string;
}

/** Of what is told of a session when it changes; all else is between us and whoever works for it. */
export type ToldChange = Pick<EventOf<"session.updated">, "engine" | "model" | "title">;

/** The engines there are; `default` is the one of sessions for which none is named. */
export function listedEngines({ runtime, engine }: Usual): { name: string; default: boolean }[] {
  return runtime.engines.map(({ name }) => ({ name, default: name === engine }));
}

/** The models of the engine that is wanted, or of the one that does the work now, of which `current` is told. */
export async function modelsFor(
  runtime: ChoosesEngines,
  wanted: string | undefined,
  now: Pick<SessionSummary, "engine" | "model">,
): Promise<OfferedModels & { engine: string; current?: string }> {
  await checkEngine(runtime, wanted);
  const engine = wanted ?? now.engine;
  const offered = await offeredModels(runtime, engine);
  return { ...offered, engine, current: engine === now.engine ? now.model : undefined };
}

/** Fails where there is no such engine here, and says which there are, or how to get it. */
async function checkEngine(runtime: ChoosesEngines, engine: string | undefined): Promise<void> {
  const names = runtime.engines.map(({ name }) => name);
  if (engine === undefined || names.includes(engine)) return;
  throw new DragomanError("invalid_params", plainText(await runtime.aboutMissing(engine)), { engines: names });
}

/** What does the work of a new session. The usual model is one of the usual engine. */
export async function engineOfNew(usual: Usual, wanted: Wanted): Promise<{ engine: string; model?: string }> {
  const { runtime } = usual;
  await checkEngine(runtime, wanted.engine);
  const { engine = usual.engine } = wanted;
  const { model = engine === usual.engine ? usual.model : undefined } = wanted;
  await checkModel(runtime, engine, model);
  return { engine, model };
}

/**
 * Changes a session: another engine, or another model, does its work from the next run on. The model of another engine is another one,
 * and the engine's own if none is named.
 */
export async function changeSession(
  runtime: ChoosesEngines,
  session: Pick<SessionHandle, "update">,
  { engine: before }: Pick<SessionSummary, "engine">,
  { engine = before, ...change }: SessionChange,
): Promise<void> {
  if (engine !== before) await checkEngine(runtime, engine);
  await checkModel(runtime, engine, change.model);
  const update: SessionChange = { ...change, ...(engine !== before && { engine }) };
  if (Object.values(update).some((value) => value !== undefined)) await session.update(update);
}

/** A prompt names the engine of its session, or none: a run has no engine of its own. `change` is how another one is chosen. */
export function checkEngineOf(
  { engine: current }: Pick<SessionSummary, "engine">,
  engine: string | undefined,
  change: string,
): void {
  if (engine === undefined || engine === current) return;
  const message = `This session is with the engine ${current}. ${change} changes that.`;
  throw new DragomanError("invalid_params", message, { engine: current });
}

/** Nothing where nothing of that has changed. */
export function toldChange({ engine, model, title }: EventOf<"session.updated">): ToldChange | undefined {
  if (engine === undefined && model === undefined && title === undefined) return undefined;
  return { engine, model, title: title === undefined ? undefined : plainText(title) };
}
