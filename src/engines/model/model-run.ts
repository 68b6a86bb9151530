import { type Clock, systemClock } from "../../core/clock.ts";
import type { EngineIO, Turn } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { promptOf } from "../prompt-text.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { boundedAnswer } from "./bounded-answer.ts";
import { type Exchange, earlierTalk, tokensOf } from "./earlier-talk.ts";
import { modelAt, noAnswer } from "./endpoint-failure.ts";
import type { ModelOptions } from "./model-options.ts";
import { modelStream, type Piece, type Question } from "./model-stream.ts";

const INSTRUCTIONS =
  "You answer in a session about a folder with code. You have no tools here: you cannot read files, run commands or look anything up. " +
  "Answer from this conversation alone, and say so where that is not enough.";

/** Of a model of which it is not known how much it takes. */
const ASSUMED_WINDOW = 16_000;
/** The rest is for the answer. */
const SHARE_OF_PROMPT = 0.75;

const WAITS_MS = [1000, 4000];
const LONGEST_WAIT_MS = 20_000;

interface RunAround {
  options: ModelOptions;
  turn: Turn;
  model: string;
  /** In tokens, where it is known. */
  window: number | undefined;
  io: EngineIO;
  signal: AbortSignal;
}

/** One prompt, with what was said in the session before, and its answer. */
export async function runTurn(around: RunAround): Promise<RunResult> {
  const { turn, model, window = ASSUMED_WINDOW, io, signal } = around;
  const { action } = turn.input;
  if (action !== undefined) {
    const message = `A model alone has no action "${action}". Choose an engine that does, or ask in words.`;
    throw new DragomanError("engine_unavailable", message);
  }
  const prompt = promptOf(turn.input);
  const room = window * SHARE_OF_PROMPT - tokensOf(INSTRUCTIONS) - tokensOf(prompt);
  const earlier = await unlessAborted(signal, earlierTalk(turn, io.log, room));
  return new ModelRun(around).answer({ model, instructions: INSTRUCTIONS, earlier, prompt });
}

class ModelRun {
  readonly #around: RunAround;
  readonly #clock: Clock;
  #text = "";

  constructor(around: RunAround) {
    this.#around = around;
    this.#clock = around.options.clock ?? systemClock;
  }

  /** Asks again where that may help, which is before an answer has begun: what fails it then has another code than these. */
  async answer(question: Question): Promise<RunResult> {
    const { options, signal } = this.#around;
    const waits = [...WAITS_MS];
    let { earlier } = question;
    for (;;) {
      try {
        const pieces = modelStream(options, { ...question, earlier }, signal);
        for await (const piece of boundedAnswer(pieces)) await this.#tell(piece);
        if (this.#text === "") throw noAnswer(options);
        return { text: this.#text };
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        const wait = error.code === "rate_limited" ? waits.shift() : undefined;
        if (wait !== undefined) await this.#waitFor(error, wait);
        else if (error.code === "context_too_large" && earlier.length > 0) earlier = await this.#forget(earlier);
        else throw error;
      }
    }
  }

  async #tell(piece: Piece): Promise<void> {
    const { io } = this.#around;
    if (piece.kind === "end") return this.#end(piece);
    if (piece.kind === "think") return io.emit({ type: "thinking.delta", text: piece.text });
    this.#text += piece.text;
    await io.emit({ type: "text.delta", text: piece.text, of: "answer" });
  }

  async #end({ why, input, output }: Extract<Piece, { kind: "end" }>): Promise<void> {
    const { io, window = 0 } = this.#around;
    if (input !== undefined && output !== undefined) {
      await io.emit({ type: "usage.updated", contextUsed: input + output, contextSize: window, input, output });
    }
    const reason = cuts[why];
    if (reason !== undefined) await this.#note("warning", `The answer is not whole: ${reason}`);
  }

  async #waitFor(error: DragomanError, usual: number): Promise<void> {
    const { options } = this.#around;
    const { retryAfterMs = usual } = error.data as { retryAfterMs?: number };
    if (retryAfterMs > LONGEST_WAIT_MS) throw error;
    const seconds = Math.ceil(retryAfterMs / 1000);
    await this.#note("info", `${modelAt(options)} is asked too often (429). It is asked again in ${seconds} s.`);
    await this.#wait(retryAfterMs);
  }

  async #wait(ms: number): Promise<void> {
    let callOff = () => {};
    const waited = new Promise<void>((resolve) => {
      callOff = this.#clock.after(ms, resolve);
    });
    await unlessAborted(this.#around.signal, waited).finally(callOff);
  }

  /** How much it takes was not known, or was said wrongly. */
  async #forget(earlier: Exchange[]): Promise<Exchange[]> {
    await this.#note(
      "info",
      "The conversation is too long for the model. It is asked again with less of what was said before.",
    );
    return earlier.slice(Math.ceil(earlier.length / 2));
  }

  async #note(level: "info" | "warning", text: string): Promise<void> {
    await this.#around.io.emit({ type: "note", level, text, source: "model" });
  }
}

const cuts: Partial<Record<Extract<Piece, { kind: "end" }>["why"], string>> = {
  length: "the model came to the most that it may say at once. Ask it to go on.",
  "content-filter": "the model's server holds the rest back (content filter).",
};
