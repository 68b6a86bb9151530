import type { Engine } from "../../core/engine.ts";

interface Making<Options> {
  /** The folder for which is answered what is asked before anything has run. */
  workspace: string;
  /** How the engine is to be for whoever works in a folder, by what holds there now. */
  optionsFor(workspace: string): Promise<Options>;
  load(): Promise<(options: Options) => Engine>;
}

/**
 * An engine that works in each folder under what holds there: the sessions of a server are in many of them, and that one is trusted is no
 * reason to trust another. It is loaded when it is first used, and made once for all folders of which the same holds.
 */
export function folderEngine<Options>(name: string, { workspace, optionsFor, load }: Making<Options>): Engine {
  const made = new Map<string, Engine>();
  let latest: Engine | undefined;

  const engineFor = async (folder: string): Promise<Engine> => {
    const options = await optionsFor(folder);
    const make = await load();
    const key = JSON.stringify(options);
    const engine = made.get(key) ?? make(options);
    made.set(key, engine);
    return engine;
  };

  const leave = async (sessionId: string, but?: Engine): Promise<void> => {
    const others = [...made.values()].filter((engine) => engine !== but);
    await Promise.all(others.map((engine) => engine.leave?.(sessionId)));
  };

  return {
    name,
    models: async () => (latest ?? (await engineFor(workspace))).models(),
    run: async (turn, io, signal) => {
      const engine = await engineFor(turn.workspace);
      latest = engine;
      await leave(turn.sessionId, engine); // trust may have been given or taken since its last run
      return engine.run(turn, io, signal);
    },
    leave: (sessionId) => leave(sessionId),
  };
}
