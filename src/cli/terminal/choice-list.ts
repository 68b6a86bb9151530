import { type ChoicePlace, choiceRows } from "./choice-rows.ts";
import type { Key } from "./keyboard.ts";
import { count } from "./wording.ts";

export interface Choice {
  id: string;
  label: string;
  detail?: string;
}

/** Some things of which one is picked, or several. Made anew by every key. */
export class ChoiceList {
  readonly #items: readonly Choice[];
  readonly #multi: boolean;
  readonly #at: number;
  readonly #picked: ReadonlySet<string>;
  readonly #number: string;

  constructor(items: readonly Choice[], multi: boolean, at = 0, picked: ReadonlySet<string> = new Set(), number = "") {
    this.#items = items;
    this.#multi = multi;
    this.#at = at;
    this.#picked = picked;
    this.#number = number;
  }

  /** Another list, or what was picked at last. */
  press({ name, text, inWords }: Key): ChoiceList | { ids: string[] } {
    const last = this.#items.length - 1;
    if (name === "up") return this.#with({ at: this.#at > 0 ? this.#at - 1 : Math.max(0, last) });
    if (name === "down") return this.#with({ at: this.#at < last ? this.#at + 1 : 0 });
    if (inWords) return this.#with({}); // meant for something else
    if (name === "escape") return { ids: [] };
    if (name === "return" || name === "enter") return { ids: this.#chosen() };
    if (text === " " && this.#multi) return this.#toggled(this.#at);
    return /^\d$/.test(text) ? this.#numbered(this.#number + text) : this.#with({});
  }

  /** The items around the one that is pointed at, at most so many, in so many rows; one that is too long for a row has more of them. */
  lines(most: number, rows: number, place: ChoicePlace): string[] {
    const drawn = this.#items.map((item, index) => this.#rows(item, index, place));
    const { from, to } = this.#window(drawn, most, rows);
    const hidden = drawn.length - (to - from);
    const shown = drawn.slice(from, to).flat();
    return hidden > 0 ? [...shown, place.paint.dim(`    … ${count(hidden, "more choice")}`)] : shown;
  }

  /** Grows from what is pointed at to both sides, as long as there is room. */
  #window(drawn: string[][], most: number, rows: number): { from: number; to: number } {
    let [from, to] = [this.#at, Math.min(this.#at + 1, drawn.length)];
    let room = rows - (drawn[from]?.length ?? 0);
    const fits = (index: number) => to - from < most && (drawn[index]?.length ?? Number.POSITIVE_INFINITY) <= room;
    for (let grew = true; grew; ) {
      grew = false;
      if (fits(from - 1)) {
        room -= drawn[--from]?.length ?? 0;
        grew = true;
      }
      if (fits(to)) {
        room -= drawn[to++]?.length ?? 0;
        grew = true;
      }
    }
    return { from, to };
  }

  #rows(choice: Choice, index: number, place: ChoicePlace): string[] {
    const isPointedAt = index === this.#at;
    const box = this.#multi ? `[${this.#picked.has(choice.id) ? "x" : " "}] ` : "";
    return choiceRows(`${isPointedAt ? "❯" : " "} ${index + 1}. ${box}`, choice, place, isPointedAt);
  }

  #chosen(): string[] {
    if (this.#multi) return this.#items.filter(({ id }) => this.#picked.has(id)).map(({ id }) => id);
    const item = this.#items[this.#at];
    return item ? [item.id] : [];
  }

  /** Where no longer number could be meant, the number is enough. */
  #numbered(number: string): ChoiceList | { ids: string[] } {
    const index = Number(number) - 1;
    const item = this.#items[index];
    if (!item) return number.length > 1 ? this.#numbered(number.slice(-1)) : this.#with({});
    if (this.#items.length >= (index + 1) * 10) return this.#with({ at: index, number });
    return this.#multi ? this.#toggled(index) : { ids: [item.id] };
  }

  #toggled(index: number): ChoiceList {
    const id = this.#items[index]?.id;
    if (id === undefined) return this.#with({});
    const picked = new Set(this.#picked);
    if (!picked.delete(id)) picked.add(id);
    return this.#with({ at: index, picked });
  }

  #with({ at = this.#at, picked = this.#picked, number = "" }): ChoiceList {
    return new ChoiceList(this.#items, this.#multi, at, picked, number);
  }
}
