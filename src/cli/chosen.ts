import type { Configuration } from "../config/configuration.ts";
import type { Engine } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import { checkModel } from "../dialects/models.ts";

/** What does the work of new sessions, as a command names it. */
export interface Chosen {
  engine?: string;
  model?: string;
}

export interface Usual {
  engine: string;
  /** Who chose it; nothing where whoever reads this did. */
  by: string;
}

/** The engine of sessions for which none is named, and why it is that one. */
export function usualEngine({ engine }: Pick<Configuration, "engine">): Usual {
  if (!engine) return { engine: "builtin", by: "since nothing else is chosen" };
  return { engine: engine.value, by: `by ${writers[engine.source]}` };
}

export const writers = {
  environment: "DRAGOMAN_ENGINE",
  project: "the project's dragoman.json",
  user: "your dragoman.json",
};

/** Fails where there is no such engine, or where it says that it does not have that model. `about` tells more of one that is not here. */
export async function checkChosen(
  engines: Engine[],
  { engine, by, model }: Usual & { model?: string },
  about: (engine: string) => Promise<string | undefined>,
): Promise<void> {
  if (!engines.some(({ name }) => name === engine)) {
    const known = engines.map(({ name }) => name).join(", ");
    const unknown = `There is no engine "${engine}" here. There is: ${known}.\nAll agents, and what they lack: dragoman agents`;
    const source = by === "" ? "" : `The engine is chosen ${by}.\n`;
    throw new DragomanError("engine_unavailable", `${source}${(await about(engine)) ?? unknown}`);
  }
  await checkModel({ engines }, engine, model);
}

/** Whether it is what `checkChosen` says: no later try will do better. */
export const isWrongChoice = (error: unknown) =>
  error instanceof DragomanError && (error.code === "engine_unavailable" || error.code === "invalid_params");
