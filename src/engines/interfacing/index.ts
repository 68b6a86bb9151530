import { type Clock, systemClock } from "../../core/clock.ts";
import type { Engine, EngineIO, Turn } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { ownerLost } from "../../core/owner-lost.ts";
import type { ChatContext } from "./chatting.ts";
import type { Stage } from "./stage.ts";

export interface InterfacingOptions {
  /** There is a model behind the engine, which can change what the grammar does not understand. */
  advises: boolean;
  clock?: Clock;
}

type Make = (stage: Stage) => Promise<RunResult>;

/** What makes and changes interfaces is loaded when one is to be made. */
const works: Record<string, () => Promise<Make>> = {
  generate: async () => (await import("./generating.ts")).generateInterface,
  customize: async () => (await import("./customizing.ts")).customizeInterface,
  revert: async () => (await import("./customizing.ts")).revertInterface,
};

/** What has code is the session's next version. */
async function numbered(result: RunResult, { log }: EngineIO): Promise<RunResult> {
  const { versionsIn } = await import("../../core/versions.ts");
  return { ...result, data: { ...result.data, version: (await versionsIn(log)).length + 1 } };
}

/** The engine, and beside what it does itself, interfaces that are made from descriptions of APIs and changed by prompts. */
export function withInterfaces(engine: Engine, { advises, clock = systemClock }: InterfacingOptions): Engine {
  const stageOf = (turn: Turn, io: EngineIO, signal: AbortSignal): Stage => {
    return { turn, io, signal, clock, adviser: advises ? engine : undefined };
  };
  const make = async (stage: Stage): Promise<RunResult> => {
    const { action = "" } = stage.turn.input;
    const work = Object.hasOwn(works, action) ? works[action] : undefined;
    if (!work) throw new DragomanError("invalid_params", `There is no ${JSON.stringify(action)} of interfaces.`);
    const result = await (await work())(stage);
    return result.code === undefined ? result : numbered(result, stage.io);
  };
  return {
    name: engine.name,
    models: () => engine.models(),
    run: (turn, io, signal) => {
      const stage = stageOf(turn, io, signal);
      if (turn.kind === "generation") return make(stage);
      return isChat(turn) ? chatted(stage, engine) : engine.run(turn, io, signal);
    },
    leave: async (sessionId) => engine.leave?.(sessionId),
    resume: async (turn, log, io, signal) => {
      // It asks nobody, so it never waits for an answer.
      if (turn.kind === "generation" || !engine.resume) throw ownerLost();
      return engine.resume(turn, log, io, signal);
    },
  };
}

const contextOf = ({ input }: Turn) => (input.args as { context?: ChatContext } | undefined)?.context;

/** A host talks about what it shows; or somebody asks about interfaces. */
const isChat = (turn: Turn) =>
  turn.kind === "prompt" && turn.input.action === undefined && contextOf(turn) !== undefined;

async function chatted(stage: Stage, engine: Engine): Promise<RunResult> {
  const { answerAboutInterfaces, chatResult, withSuggestions } = await import("./chatting.ts");
  const context = contextOf(stage.turn);
  const known = stage.adviser ? undefined : await answerAboutInterfaces(stage, context);
  if (known !== undefined) return chatResult(stage, known, context);
  return withSuggestions(stage, await engine.run(stage.turn, stage.io, stage.signal), context);
}
