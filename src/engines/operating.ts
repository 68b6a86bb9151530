import { type Clock, systemClock } from "../core/clock.ts";
import type { Engine, EngineIO, Turn } from "../core/engine.ts";
import { ownerLost } from "../core/owner-lost.ts";
import { resumeByReplay } from "../core/replayed-io.ts";
import type { Advisor } from "../operations/perform/index.ts";
import { isOperation } from "../operations/perform/request.ts";
import { askForAdvice, loggedAdvice } from "./operating-advice.ts";
import { hasBegunFromWords, operationInWords } from "./operating-words.ts";

export interface OperatingOptions {
  /** There is a model behind the engine, which can add to what the rules find. One without is told operations in plain words, too. */
  advises: boolean;
  clock?: Clock;
}

/** What reads and judges documents is loaded when one is to be read. */
const performing = () => import("../operations/perform/index.ts");

/**
 * The engine, and the operations on the documents of features beside what it does itself. The rules do them; an engine with a model
 * is asked what it has to add. They go on in another process, and so do the engine's own runs as far as it can.
 */
export function withOperations(engine: Engine, { advises, clock = systemClock }: OperatingOptions): Engine {
  const advisor = (turn: Turn, io: EngineIO, signal: AbortSignal): Advisor | undefined =>
    advises ? (instruction) => askForAdvice({ engine, turn, io, signal, clock }, instruction) : undefined;
  const inWords = (turn: Turn) => (advises ? undefined : operationInWords(turn));

  return {
    name: engine.name,
    models: () => engine.models(),
    run: async (turn, io, signal) => {
      const operation = isOperation(turn) ? turn : await inWords(turn);
      if (!operation) return engine.run(turn, io, signal);
      const { perform } = await performing();
      return perform(operation, io, signal, advisor(operation, io, signal), clock);
    },
    leave: async (sessionId) => engine.leave?.(sessionId),
    resume: async (turn, log, io, signal) => {
      const operation = isOperation(turn) ? turn : advises ? undefined : hasBegunFromWords(turn, log);
      if (!operation) {
        if (!engine.resume) throw ownerLost();
        return engine.resume(turn, log, io, signal);
      }
      const { perform } = await performing();
      return resumeByReplay(operation, log, io, (replayed) => {
        const ask = advisor(operation, replayed, signal);
        return perform(operation, replayed, signal, ask && loggedAdvice(engine, operation, replayed, ask), clock);
      });
    },
  };
}
