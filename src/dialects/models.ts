import { atMost } from "../core/at-most.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import type { Engine, Model } from "../core/engine.ts";
import { DragomanError, messageOf } from "../core/errors.ts";
import { plainText } from "../core/plain-text.ts";
import type { Runtime } from "../core/runtime.ts";

export type WithEngines = Pick<Runtime, "engines">;

/** An agent may have to be started to say which models it has, and may not be able to. Nobody waits for it any longer. */
const LONGEST_MS = 3000;
const MOST_NAMED = 50;

/** `note` says why there are none, or perhaps others. */
export interface OfferedModels {
  models: Model[];
  note?: string;
}

interface Asked {
  /** Who asks meanwhile waits for the same answer. */
  answer?: Promise<Model[]>;
  latest?: Model[];
}

const asked = new WeakMap<Engine, Asked>();

/** The models of an engine as it says them now, or as it last did where it takes too long. It never fails. */
export async function offeredModels(here: WithEngines, engine: string, clock?: Clock): Promise<OfferedModels> {
  const known = here.engines.find(({ name }) => name === engine);
  if (!known) return { models: [], note: `There is no engine ${JSON.stringify(plainText(engine))} here.` };
  const late = `${engine} did not say within ${LONGEST_MS / 1000} s which models it has. Try again.`;
  let said: OfferedModels = { models: asked.get(known)?.latest ?? [], note: late };
  const hear = async () => {
    said = await modelsSaidBy(known).then((models) => ({ models }), failure);
  };
  const failure = (error: unknown) => {
    const note = `${engine} could not say which models it has: ${plainText(messageOf(error))}`;
    return { models: [], note };
  };
  await atMost(LONGEST_MS, hear(), clock ?? systemClock);
  return said;
}

function modelsSaidBy(engine: Engine): Promise<Model[]> {
  const known = asked.get(engine) ?? {};
  asked.set(engine, known);
  known.answer ??= ask(engine, known);
  return known.answer;
}

async function ask(engine: Engine, known: Asked): Promise<Model[]> {
  try {
    const models = await engine.models();
    known.latest = models;
    return models;
  } finally {
    known.answer = undefined;
  }
}

/** Fails where the engine says that it does not have that model. One that lists none takes any, and of one that is not here another node knows. */
export async function checkModel(
  here: WithEngines,
  engine: string,
  model: string | undefined,
  clock?: Clock,
): Promise<void> {
  if (model === undefined) return;
  const isIt = ({ id }: Model) => id === model;
  const known = here.engines.find(({ name }) => name === engine);
  if (known && asked.get(known)?.latest?.some(isIt)) return; // an agent need not be asked before every run
  const { models } = await offeredModels(here, engine, clock);
  if (models.length === 0 || models.some(isIt)) return;
  const ids = models.map(({ id }) => id);
  const message = `There is no model ${JSON.stringify(plainText(model))} here. There is: ${named(ids)}.`;
  throw new DragomanError("invalid_params", message, { models: ids });
}

/** So many of them by name. */
export function named(names: string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
