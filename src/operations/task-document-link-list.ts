import type { Link, LinksLeftOut } from "./task-document.ts";

/** More links than these are counted, not kept: ranges of ranges grow fast. */
export const MOST_LINKS = 20_000;

/** The links of a document, each once, and how many are stated beyond the most that are kept. */
export class LinkList {
  readonly kept: Link[] = [];
  readonly leftOut: LinksLeftOut = { known: 0, unknown: 0 };
  readonly #seen = new Map<string, Set<string>>();

  get isFull(): boolean {
    return this.kept.length >= MOST_LINKS;
  }

  add(link: Link): void {
    const seen = this.#seen.get(link.task);
    if (seen?.has(link.needs)) return;
    if (this.isFull) this.leftOut[link.known ? "known" : "unknown"]++;
    else {
      if (seen) seen.add(link.needs);
      else this.#seen.set(link.task, new Set([link.needs]));
      this.kept.push(link);
    }
  }

  /** Counts links between a task and so many ids that there is none of. */
  leaveOut(count: number): void {
    this.leftOut.unknown += count;
  }
}
