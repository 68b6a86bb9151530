import type { EventOf } from "../../core/events.ts";
import { BoundedMap } from "../../dialects/bounded-map.ts";
import { shownQuestion } from "../../dialects/question.ts";
import { choiceRows } from "./choice-rows.ts";
import { outcomeText, questionLines } from "./question-lines.ts";
import type { Place } from "./screen.ts";
import { cut, widthOf } from "./text-width.ts";
import { oneLine } from "./wording.ts";

export interface AskLinesOptions {
  /** Nobody answers here, so questions are drawn here, and not in their turn by whoever puts them. */
  questions: boolean;
  /** Whether it was answered here. */
  isOurs(askId: string): boolean;
}

/** A question, and whether it came while it could be answered. */
interface Asked {
  ask: EventOf<"ask.opened">;
  wasPut: boolean;
}

/** What is asked and answered. Several questions may be open at once, so an answer always comes with its question. */
export class AskLines {
  readonly #place: Place;
  readonly #options: AskLinesOptions;
  readonly #asks = new BoundedMap<Asked>();

  constructor(place: Place, options: AskLinesOptions) {
    this.#place = place;
    this.#options = options;
  }

  opened(ask: EventOf<"ask.opened">): void {
    this.#asks.set(ask.askId, { ask, wasPut: false });
  }

  /** It waits to be answered: what was answered long ago is not put again. */
  put(ask: EventOf<"ask.opened">): string[] {
    this.#asks.set(ask.askId, { ask, wasPut: true });
    return this.#options.questions || ask.kind === "tool" ? this.#whole(ask) : [];
  }

  closed(closed: EventOf<"ask.closed">): string[] {
    const { ask, wasPut = false } = this.#asks.take(closed.askId) ?? {};
    const { paint, width } = this.#place;
    // Of a long question less is repeated, so that the answer to it is seen.
    const answer = `→ ${outcomeText(closed, ask, this.#options.isOurs(closed.askId))}`;
    const room = Math.max(width / 3, width - widthOf(answer) - 1);
    const title = cut(`? ${oneLine(ask?.title ?? "")}`, Math.floor(room));
    // What was agreed to is seen also by whoever was not there then.
    const unseen = ask?.diff !== undefined && !wasPut ? this.#whole(ask) : [];
    return [...unseen, paint.bold(cut(`${title} ${answer}`, width))];
  }

  #whole(ask: EventOf<"ask.opened">): string[] {
    const { items = [] } = shownQuestion(ask);
    const choices = items.flatMap((item, at) => choiceRows(`  ${at + 1}. `, item, this.#place));
    return ["", ...questionLines(ask, this.#place, { whole: !this.#place.live, more: "" }), ...choices];
  }
}
