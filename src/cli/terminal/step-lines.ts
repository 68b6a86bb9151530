import type { Place } from "./screen.ts";
import { cut } from "./text-width.ts";
import { duration, oneLine } from "./wording.ts";

interface Step {
  title: string;
  /** Its heading is drawn when something happens in it. */
  told: boolean;
  /** Something in it was seen to fail. */
  toldWhy: boolean;
}

/** The steps of a run: one that nothing happened in is told when it ends, in a line. */
export class StepLines {
  readonly #place: Place;
  readonly #open = new Map<string, Step>();

  constructor(place: Place) {
    this.#place = place;
  }

  start(stepId: string, number: number, title: string): void {
    this.#open.set(stepId, { title: `${number}. ${oneLine(title)}`, told: false, toldWhy: false });
  }

  /** The headings that are due, now that something happens. */
  headings(): string[] {
    const untold = [...this.#open.values()].filter((step) => !step.told);
    for (const step of untold) step.told = true;
    return untold.map(({ title }) => this.#place.paint.bold(cut(`▸ ${title}`, this.#place.width)));
  }

  /** A call failed, and it was said why. */
  toldWhy(): void {
    for (const step of this.#open.values()) step.toldWhy = true;
  }

  end(stepId: string, failed: boolean, ms: number): string[] {
    const step = this.#open.get(stepId);
    if (!step) return [];
    this.#open.delete(stepId);
    // What was done under its heading says for itself how it went.
    if (step.told && (!failed || step.toldWhy)) return [];
    const { paint, width } = this.#place;
    const time = ` · ${duration(ms)}`;
    const line = cut(step.title, width - 2 - time.length);
    return [(failed ? paint.red(`✗ ${line}`) : `${paint.green("✓")} ${line}`) + paint.dim(time)];
  }

  forget(): void {
    this.#open.clear();
  }

  /** The one under way. */
  below(spinner: string): string[] {
    const step = [...this.#open.values()].at(-1);
    return step ? [`${this.#place.paint.cyan(spinner)} ${step.title}`] : [];
  }
}
