import { DragomanError } from "../../core/errors.ts";
import type { Warning } from "../normalized-spec.ts";
import { clipped } from "./clipped-text.ts";

const mostWarnings = 200;
const longestPlace = 300;
const longestMessage = 500;

/** What was odd while one description was read: each thing once, and never more than a person would scroll through. */
export class Warnings {
  private readonly kept = new Map<string, Warning>();
  private left = 0;

  add(place: string, message: string): void {
    const warning = { place: clipped(place, longestPlace), message: clipped(message, longestMessage) };
    const key = `${warning.place}\n${warning.message}`;
    if (this.kept.has(key)) return;
    if (this.kept.size < mostWarnings) this.kept.set(key, warning);
    else this.left += 1;
  }

  list(): Warning[] {
    const all = [...this.kept.values()];
    if (this.left > 0) all.push({ place: "/", message: `${this.left} more warnings are not listed` });
    return all;
  }
}

/** The one error of a description that cannot be used. The message is all that a person may get to see, so it names the place, too. */
export function specInvalid(place: string, message: string): DragomanError {
  const at = clipped(place, longestPlace);
  return new DragomanError("spec_invalid", `${clipped(message, longestMessage)} (at ${at})`, { place: at });
}
