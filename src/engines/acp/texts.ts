import { statusIn } from "./failures.ts";

/** A piece of text that may be no part of the answer. */
export type Text = { is: "answer"; text: string } | { is: "info"; text: string };

export interface TextFailure {
  message: string;
  status?: number;
}

const info = /^Info: (?=\S)/;
const failure = /^Error: (?=\S)/;

/**
 * Copilot CLI puts into its answer what is none: "Info: ..." for what it does, "Error: ..." for what ended its turn. Each comes as a piece of
 * its own with nothing of the answer right behind it, by which it is told from an answer that has such words in it. So a piece that looks
 * like one is held until something else comes.
 */
export class Texts {
  readonly #areErrors: boolean;
  #held: string | undefined;

  constructor(areErrors: boolean) {
    this.#areErrors = areErrors;
  }

  /** The next piece of the answer; gives what is to be told by now. */
  add(piece: string): Text[] {
    if (!this.#areErrors) return [{ is: "answer", text: piece }];
    const isHeld = info.test(piece) || failure.test(piece);
    const before = isHeld ? this.next() : this.#wasAnswer();
    if (!isHeld) return [...before, { is: "answer", text: piece }];
    this.#held = piece;
    return before;
  }

  /** Something else came that is no work of the model's, such as a count of tokens. */
  pause(): Text[] {
    return this.#held !== undefined && info.test(this.#held) ? this.next() : [];
  }

  /** The model went on with something else, or the turn has ended well. */
  next(): Text[] {
    const held = this.#take();
    if (held === undefined) return [];
    return [info.test(held) ? { is: "info", text: held.replace(info, "").trim() } : { is: "answer", text: held }];
  }

  /** The turn has ended: with what, if that was the last that it said. */
  failure(): TextFailure | undefined {
    if (this.#held === undefined || !failure.test(this.#held)) return undefined;
    const text = this.#take() ?? "";
    return { message: text.replace(failure, "").trim(), status: statusIn(text) };
  }

  #wasAnswer(): Text[] {
    const held = this.#take();
    return held === undefined ? [] : [{ is: "answer", text: held }];
  }

  #take(): string | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }
}
