import type { Key } from "./keyboard.ts";
import type { Paint } from "./paint.ts";
import { count, oneLine } from "./wording.ts";

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
  press({ name, text }: Key): ChoiceList | { ids: string[] } {
    const last = this.#items.length - 1;
    if (name === "escape") return { ids: [] };
    if (name === "up") return this.#with({ at: this.#at > 0 ? this.#at - 1 : Math.max(0, last) });
    if (name === "down") return this.#with({ at: this.#at < last ? this.#at + 1 : 0 });
    if (name === "return" || name === "enter") return { ids: this.#chosen() };
    if (text === " " && this.#multi) return this.#toggled(this.#at);
    return /^\d$/.test(text) ? this.#numbered(this.#number + text) : this.#with({});
  }

  /** The items around the one that is pointed at, in so many rows. */
  lines(rows: number, paint: Paint): string[] {
    const items = this.#items;
    const from = Math.max(0, Math.min(this.#at - Math.floor(rows / 2), items.length - rows));
    const lines = items.slice(from, from + rows).map((item, index) => this.#line(item, from + index, paint));
    const hidden = items.length - lines.length;
    return hidden > 0 ? [...lines, paint.dim(`    … ${count(hidden, "more choice")}`)] : lines;
  }

  #line({ id, label, detail }: Choice, index: number, paint: Paint): string {
    const pointed = index === this.#at;
    const box = this.#multi ? `[${this.#picked.has(id) ? "x" : " "}] ` : "";
    const line = `${pointed ? "❯" : " "} ${index + 1}. ${box}${oneLine(label)}`;
    return (pointed ? paint.bold(line) : line) + (detail ? paint.dim(`  ${oneLine(detail)}`) : "");
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
