import type { Clock } from "../core/clock.ts";
import type { Emitted, Engine, EngineIO, Turn } from "../core/engine.ts";
import { asDragomanError, DragomanError } from "../core/errors.ts";
import { derivedId, randomId } from "../core/ids.ts";
import type { ReplayedIO } from "../core/replayed-io.ts";
import type { Advisor } from "../operations/perform/index.ts";

const TOOL = "advice";
const LONGEST_MS = 3 * 60 * 1000;
const LONGEST_ANSWER = 300_000;
/** An operation may say 1000 messages in all; so many of them are left to whoever advises. */
const MOST_EVENTS = 100;
const MOST_THINKING = 20_000;
const WITHOUT_TOOLS = "The answer is to be given from what was asked alone, without tools.";

interface Around {
  engine: Engine;
  turn: Turn;
  io: EngineIO;
  signal: AbortSignal;
  clock: Clock;
}

/**
 * Has the engine answer an instruction within the run of an operation. It is a call in the log, so that whoever goes on with the run
 * takes the answer from there.
 */
export async function askForAdvice(around: Around, instruction: string, earlierAsks = 0): Promise<string> {
  const { engine, turn, io, signal, clock } = around;
  const callId = derivedId(turn.runId, earlierAsks === 0 ? TOOL : `${TOOL} ${earlierAsks + 1}`);
  const startedAt = clock.now();
  const took = () => Math.max(0, clock.now() - startedAt);
  const title = `Ask ${engine.name} for advice`;
  await io.emit({ type: "tool.requested", callId, tool: TOOL, args: argsOf(engine, turn), title, kind: "fetch" });
  try {
    const text = await answerOf(around, instruction);
    signal.throwIfAborted();
    await io.emit({ type: "tool.finished", callId, result: { text }, durationMs: took() });
    return text;
  } catch (error) {
    const { code, message } = signal.aborted
      ? new DragomanError("cancelled", "The run was cancelled.")
      : asDragomanError(error, "engine_failed");
    await io.emit({ type: "tool.finished", callId, error: { code, message }, durationMs: took() });
    throw error;
  }
}

/** The advice that was given before, as the log has it. */
export function loggedAdvice(engine: Engine, turn: Turn, io: ReplayedIO, ask: Advisor): Advisor {
  return async (instruction) => {
    if (io.live) return ask(instruction);
    const reply = await io.tool(TOOL, argsOf(engine, turn));
    if (reply.outcome !== "done") throw new DragomanError("engine_failed", reply.message);
    return (reply.result as { text: string }).text;
  };
}

const argsOf = ({ name }: Engine, { input }: Turn) => ({ operation: input.action, engine: name });

async function answerOf({ engine, turn, io, signal, clock }: Around, instruction: string): Promise<string> {
  const over = new AbortController();
  const inner = new InnerIO(io);
  const asked: Turn = { ...turn, kind: "prompt", input: { text: instruction } };
  const late = new Promise<never>((_, reject) => {
    over.signal.addEventListener("abort", () => reject(over.signal.reason));
  });
  late.catch(() => {}); // it is heard of below, or not at all
  const tooLong = new DragomanError("timeout", `${engine.name} gave no answer within ${LONGEST_MS / 60_000} minutes`);
  const callOff = clock.after(LONGEST_MS, () => over.abort(tooLong));
  const stop = () => over.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const { text } = await Promise.race([engine.run(asked, inner, over.signal), late]);
    return (text || inner.text).slice(0, LONGEST_ANSWER);
  } finally {
    callOff();
    signal.removeEventListener("abort", stop);
    inner.close();
    over.abort();
  }
}

/** What the engine is given while it advises: it can think aloud and answer. It gets no tools of ours, and nobody is asked. */
class InnerIO implements EngineIO {
  readonly #io: EngineIO;
  text = "";
  readonly #calls = new Set<string>();
  #events = 0;
  #thought = 0;
  #closed = false;

  constructor(io: EngineIO) {
    this.#io = io;
  }

  readonly emit = async (event: Emitted): Promise<void> => {
    if (this.#closed) return;
    if (event.type === "text.delta") {
      if (event.of === "answer" && this.text.length < LONGEST_ANSWER) this.text += event.text;
    } else if (event.type === "usage.updated") await this.#io.emit(event);
    else if (this.#isPassedOn(event)) await this.#io.emit(event);
  };

  readonly ask: EngineIO["ask"] = async () => ({ outcome: "denied", reason: "no_one_to_ask" });

  readonly tool: EngineIO["tool"] = async () => ({
    outcome: "denied",
    callId: randomId(),
    message: WITHOUT_TOOLS,
    goOn: true,
  });

  readonly permit: EngineIO["permit"] = async () => ({
    allowed: false,
    code: "denied",
    message: WITHOUT_TOOLS,
    goOn: true,
  });

  readonly offeredTools: EngineIO["offeredTools"] = () => [];

  readonly keep: EngineIO["keep"] = (agentSession) => this.#io.keep(agentSession);

  readonly onKill: EngineIO["onKill"] = (kill) => this.#io.onKill(kill);

  get supervise(): EngineIO["supervise"] {
    return this.#io.supervise;
  }

  get log(): EngineIO["log"] {
    return this.#io.log;
  }

  close(): void {
    this.#closed = true;
  }

  /** Its steps and plans are its own matter; its thoughts, and what it does in spite of all, are seen. */
  #isPassedOn(event: Emitted): boolean {
    if (event.type === "thinking.delta") {
      this.#thought += event.text.length + (event.text.match(/\n/g)?.length ?? 0) * 100;
      return this.#thought <= MOST_THINKING;
    }
    if (event.type === "tool.finished") return this.#calls.has(event.callId);
    if (event.type !== "note" && event.type !== "tool.requested") return false;
    const hasRoom = ++this.#events <= MOST_EVENTS;
    if (hasRoom && event.type === "tool.requested") this.#calls.add(event.callId);
    return hasRoom;
  }
}
