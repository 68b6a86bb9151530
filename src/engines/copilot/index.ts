import type { Engine, EngineIO, Turn } from "../../core/engine.ts";
import type { RunResult } from "../../core/events.ts";
import { KeptAgents } from "../kept-agents.ts";
import { promptOf } from "../prompt-text.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { noModel } from "./copilot-failure.ts";
import { CopilotModels } from "./copilot-models.ts";
import type { CopilotOptions } from "./copilot-options.ts";
import { runTurn } from "./copilot-run.ts";
import { CopilotRuntime } from "./copilot-runtime.ts";

export type { CopilotOptions, CopilotProvider } from "./copilot-options.ts";

/** GitHub Copilot by its official SDK: with the user's own login, or with models of their own. */
export function copilotEngine(options: CopilotOptions = {}): Engine {
  const { clock, idleMs } = options;
  const kept = new KeptAgents<CopilotRuntime>({ clock, idleMs });
  const models = new CopilotModels(options);

  /** Only a provider's model has to be named. */
  const modelFor = async (turn: Turn): Promise<string | undefined> => {
    const { provider, model } = options;
    const wanted = turn.model ?? model;
    if (wanted !== undefined || !provider) return wanted;
    const [first] = await models.list();
    if (!first) throw noModel(provider.baseUrl);
    return first.id;
  };

  const runtimeFor = async ({ sessionId, workspace }: Turn, io: EngineIO, signal: AbortSignal) => {
    const using = kept.use(sessionId, () => CopilotRuntime.start(options, workspace, io.supervise));
    try {
      return await unlessAborted(signal, using);
    } catch (error) {
      using.then(({ rest }) => rest()).catch(() => {}); // whatever becomes of it, this run has no use for it
      throw error;
    }
  };

  const run = async (turn: Turn, io: EngineIO, signal: AbortSignal): Promise<RunResult> => {
    signal.throwIfAborted();
    const prompt = promptOf(turn.input);
    const model = await unlessAborted(signal, modelFor(turn));
    const { agent: runtime, rest } = await runtimeFor(turn, io, signal);
    try {
      return await runTurn({ turn, prompt, model, io, signal, runtime, clock });
    } finally {
      rest();
    }
  };

  return {
    name: "copilot",
    models: () => models.list(),
    run,
    leave: (sessionId) => kept.drop(sessionId),
  };
}
