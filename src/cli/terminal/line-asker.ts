import type { EventOf } from "../../core/events.ts";
import { shownQuestion } from "../../dialects/question.ts";
import type { Keys } from "../keys.ts";
import { answerFromLine, lineHint } from "./answer-line.ts";
import type { Asker, AskerEnd } from "./asker.ts";
import { questionLines } from "./question-lines.ts";
import type { Screen } from "./screen.ts";
import { oneLine } from "./wording.ts";

interface LineAskerOptions extends AskerEnd {
  keys: Keys;
  screen: Screen;
  /** `hints`: the question itself is seen elsewhere; `nothing`: so is how to answer it. */
  draws: "all" | "hints" | "nothing";
}

/** Asks where answers are lines. A line that came before the question counts: it was written to be its answer. */
export class LineAsker implements Asker {
  readonly #options: LineAskerOptions;
  readonly #waiting: EventOf<"ask.opened">[] = [];
  #asking: { askId: string; over: AbortController } | undefined;

  constructor(options: LineAskerOptions) {
    this.#options = options;
  }

  open(ask: EventOf<"ask.opened">): void {
    this.#waiting.push(ask);
    if (!this.#asking) this.#next();
  }

  closed(askId: string): void {
    const index = this.#waiting.findIndex((ask) => ask.askId === askId);
    if (index >= 0) this.#waiting.splice(index, 1);
    if (this.#asking?.askId === askId) this.#asking.over.abort();
  }

  closeAll(): void {
    this.#waiting.length = 0;
    this.#asking?.over.abort();
  }

  below(): undefined {
    return undefined;
  }

  #next(): void {
    const ask = this.#waiting.shift();
    if (!ask) return;
    const over = new AbortController();
    this.#asking = { askId: ask.askId, over };
    void this.#ask(ask, over.signal).then(() => {
      this.#asking = undefined;
      this.#next();
    });
  }

  async #ask(ask: EventOf<"ask.opened">, signal: AbortSignal): Promise<void> {
    const { keys, answer, nobody } = this.#options;
    this.#draw(ask);
    if (ask.secret) keys.echo(false);
    try {
      for (;;) {
        const line = await keys.next(signal);
        if (signal.aborted) return;
        if (line === undefined) return nobody(ask);
        const said = answerFromLine(line, ask);
        if (said) return answer(ask.askId, said);
        this.#options.screen.add([`That is no answer to it. ${lineHint(ask)}`]);
      }
    } finally {
      if (ask.secret) keys.echo(true);
    }
  }

  #draw(ask: EventOf<"ask.opened">): void {
    const { screen, draws } = this.#options;
    if (draws === "nothing") return;
    const question = draws === "all" ? questionLines(ask, screen, { whole: true, more: "" }) : [];
    const items = shownQuestion(ask).items ?? [];
    const choices = items.map(
      ({ label, detail }, i) => `  ${i + 1}. ${oneLine(label)}${detail ? `  ${oneLine(detail)}` : ""}`,
    );
    screen.add([...question, ...choices, lineHint(ask)]);
    screen.flush();
  }
}
