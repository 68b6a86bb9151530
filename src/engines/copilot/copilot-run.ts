import { type Clock, systemClock } from "../../core/clock.ts";
import type { EngineIO, Turn } from "../../core/engine.ts";
import { asDragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { note } from "./copilot-events.ts";
import type { CopilotRuntime } from "./copilot-runtime.ts";
import { CopilotTurn } from "./copilot-turn.ts";
import { within } from "./within.ts";

/** How long a cancelled run waits for what is under way, or for Copilot to stop, before it ends the runtime. */
const BEGIN_MS = 1000;
const STOP_MS = 1500;

export interface RunAround {
  turn: Turn;
  prompt: string;
  model: string | undefined;
  io: EngineIO;
  signal: AbortSignal;
  runtime: CopilotRuntime;
  clock?: Clock;
}

/** One run on a runtime, which is ready for the next one afterwards, or has ended. */
export async function runTurn(around: RunAround): Promise<RunResult> {
  const { turn, io, runtime, clock = systemClock } = around;
  const work = new CopilotTurn(turn, io, runtime, clock);
  const leave = runtime.workFor(work);
  const takeBack = io.onKill(() => runtime.end());
  try {
    await untilOver(around, work);
    return await work.result();
  } finally {
    takeBack();
    leave();
  }
}

async function untilOver(around: RunAround, work: CopilotTurn): Promise<void> {
  const { signal, runtime } = around;
  const beginning = begin(around, work);
  try {
    await unlessAborted(signal, runtime.unlessLost(beginning.then(() => work.over)));
  } catch (error) {
    if (signal.aborted) await stop(runtime, work, beginning);
    else await giveUp(runtime, work, error);
    throw error;
  }
}

/** Resolves when Copilot has its message. */
async function begin({ turn, prompt, model, io, signal, runtime }: RunAround, work: CopilotTurn): Promise<void> {
  const { sessionId, agentSession } = turn;
  const { conversation } = runtime;
  const { id, lost } = await conversation.open({ sessionId, agentSession, model, offered: io.offeredTools() });
  io.keep(id);
  if (lost !== undefined) {
    await note(io, "warning", `What Copilot knew of this session is lost (${lost}). It begins anew.`);
  }
  signal.throwIfAborted();
  work.sent(await conversation.send(prompt));
}

async function stop(runtime: CopilotRuntime, work: CopilotTurn, beginning: Promise<void>): Promise<void> {
  const isStill = await hasStopped(runtime, work, beginning);
  // Where what was said is written slowly, its processes do not go on until then.
  const ending = isStill && !runtime.ended ? endTools(runtime, work) : runtime.end();
  await Promise.all([work.close("cancelled", "The run was cancelled."), ending]);
}

/** An abort that overtakes the message does not stop it, so the message is waited for. */
async function hasStopped(runtime: CopilotRuntime, work: CopilotTurn, beginning: Promise<void>): Promise<boolean> {
  const hasMessage = await comesTrue(BEGIN_MS, beginning);
  if (!hasMessage) return hasMessage === false; // there is nothing to stop, or it is not known
  const stopping = runtime.conversation.abort().then(() => work.over);
  return (await comesTrue(STOP_MS, stopping)) === true;
}

async function endTools({ tree }: CopilotRuntime, { startedAt }: CopilotTurn): Promise<void> {
  if (startedAt !== undefined) await tree.endSince(startedAt);
}

/** In what state it is then is not known. */
async function giveUp(runtime: CopilotRuntime, work: CopilotTurn, error: unknown): Promise<void> {
  const { code, message } = asDragomanError(error, "engine_failed");
  await work.close(code, message);
  await runtime.end();
}

/** Whether the work was done; undefined when that took too long. */
async function comesTrue(ms: number, work: Promise<unknown>): Promise<boolean | undefined> {
  const ended = work.then(
    () => true,
    () => false,
  );
  return within(ms, ended).catch(() => undefined);
}
