import { type Clock, systemClock } from "../../core/clock.ts";
import type { EngineIO, Turn } from "../../core/engine.ts";
import type { RunResult } from "../../core/events.ts";
import { Advice, type Advisor } from "./advice.ts";
import { analyzeDocuments, analyzeSteps } from "./analyze.ts";
import { clarify, clarifySteps } from "./clarify.ts";
import { FeatureFiles } from "./feature-files.ts";
import type { Performance, Performed } from "./performance.ts";
import { plan, planSteps } from "./plan.ts";
import { type OperationName, requestOf } from "./request.ts";
import { snakeCased } from "./snake-case.ts";
import { Telling } from "./telling.ts";

export type { Advisor } from "./advice.ts";
export { isGenerating } from "./clarify.ts";
export { isOperation, type OperationName, operationNames } from "./request.ts";

interface Operation {
  steps: string[];
  perform(performance: Performance): Promise<Performed>;
}

const operations: Record<OperationName, Operation> = {
  clarify: { steps: clarifySteps, perform: clarify },
  analyze: { steps: analyzeSteps, perform: analyzeDocuments },
  plan: { steps: planSteps, perform: plan },
};

/**
 * Does an operation. What it does depends on the turn and on what its tools, asks and advisor give, and on nothing else: done over
 * with the same it comes to the same, so that another process can go on with it.
 */
export async function perform(
  turn: Turn,
  io: EngineIO,
  signal: AbortSignal,
  advisor?: Advisor,
  clock: Clock = systemClock,
): Promise<RunResult> {
  signal.throwIfAborted();
  const request = requestOf(turn);
  const { steps, perform } = operations[request.name];
  const telling = new Telling({ turn, io, signal, clock }, steps);
  const files = new FeatureFiles(io, request);
  const advice = advisor && new Advice(advisor, telling, signal);
  const { description, data } = await perform({ request, io, telling, files, advice, signal });
  signal.throwIfAborted();
  const result = { operation: request.name, ...request.target, ...data };
  return { text: telling.text, description, data: snakeCased(result) as Record<string, unknown> };
}
