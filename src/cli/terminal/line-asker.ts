import { LONGEST_OWN_WORDS } from "../../core/asks.ts";
import type { Answer } from "../../core/engine.ts";
import { type EventOf, OWN_WORDS_ITEM } from "../../core/events.ts";
import { shownQuestion } from "../../dialects/question.ts";
import type { Keys } from "../keys.ts";
import { answerFromLine, lineHint } from "./answer-line.ts";
import type { Asker, AskerEnd } from "./asker.ts";
import { choiceRows } from "./choice-rows.ts";
import { questionLines } from "./question-lines.ts";
import type { Screen } from "./screen.ts";

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
    if (ask.secret) keys.echo(false); // before it is asked: whoever is quick is not seen either
    this.#draw(ask);
    try {
      for (let inWords = false; ; ) {
        const line = await keys.next(signal);
        if (signal.aborted) return;
        if (line === undefined) return nobody(ask);
        const said: Answer | undefined = inWords ? ownWords(line) : answerFromLine(line, ask);
        const problem = inWords && !said ? lineHint(ask) : problemOf(said, ask);
        if (said && problem === "") return answer(ask.askId, said);
        inWords = said !== undefined && (inWords || saysOther(said, ask));
        this.#add(problem);
      }
    } finally {
      if (ask.secret) keys.echo(true);
    }
  }

  #add(line: string): void {
    this.#options.screen.add([line]);
    this.#options.screen.flush();
  }

  #draw(ask: EventOf<"ask.opened">): void {
    const { screen, draws } = this.#options;
    if (draws === "nothing") return;
    const question = draws === "all" ? questionLines(ask, screen, { whole: true, more: "" }) : [];
    const items = shownQuestion(ask).items ?? [];
    const choices = items.flatMap((item, index) => choiceRows(`  ${index + 1}. `, item, screen));
    screen.add([...question, ...choices, lineHint(ask)]);
    screen.flush();
  }
}

/** Nothing, if the line is empty: the choices count again then. */
const ownWords = (line: string): Answer | undefined =>
  line.trim() === "" ? undefined : { ids: [], text: line.trim() };

const saysOther = (said: Answer | undefined, { allowText }: EventOf<"ask.opened">) =>
  allowText === true && said !== undefined && "ids" in said && !said.text && said.ids.join() === OWN_WORDS_ITEM;

/** What to say to a line that does not answer the question yet; nothing to one that does. */
function problemOf(said: Answer | undefined, ask: EventOf<"ask.opened">): string {
  if (!said) return `That is no answer to it. ${lineHint(ask)}`;
  if (saysOther(said, ask)) return "In your own words, in one line; an empty line goes back to the choices:";
  if (!("text" in said) || (said.text ?? "").length <= LONGEST_OWN_WORDS) return "";
  return `Your own words have at most ${LONGEST_OWN_WORDS} characters. Say it shorter, in one line:`;
}
