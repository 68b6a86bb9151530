import * as z from "zod";
import { messageOf } from "../../core/errors.ts";
import type { Telling } from "./telling.ts";

/** Asks an engine with a model, and resolves with what it says. */
export type Advisor = (instruction: string) => Promise<string>;

/** So much of a document goes into an instruction. */
const LONGEST_DOCUMENT = 60_000;

/**
 * What an engine with a model adds to what the rules find. They are the base: whatever is wrong with the advice, the operation goes
 * on without it and says so.
 */
export class Advice {
  readonly #advisor: Advisor;
  readonly #telling: Telling;
  readonly #signal: AbortSignal;

  constructor(advisor: Advisor, telling: Telling, signal: AbortSignal) {
    this.#advisor = advisor;
    this.#telling = telling;
    this.#signal = signal;
  }

  /** What `read` makes of the answer; nothing where there is none that can be used. */
  async take<T>(instruction: string, read: (answer: string) => T): Promise<T | undefined> {
    try {
      return read(await this.#advisor(instruction));
    } catch (error) {
      this.#signal.throwIfAborted();
      const why = error instanceof z.ZodError ? "it was not in the form that was asked for" : messageOf(error);
      await this.#telling.note("warning", `The engine's advice was left out: ${why}. The rules' own result stands.`);
      return undefined;
    }
  }
}

/** A document for an instruction, apart from what is asked. */
export function quoted(name: string, content: string): string {
  const cut = content.length > LONGEST_DOCUMENT;
  const text = cut ? `${content.slice(0, LONGEST_DOCUMENT)}\n[the rest is left out]` : content;
  return `<document name="${name}">\n${text}\n</document>`;
}

/** JSON in an answer, whatever is said around it. */
export function jsonIn(answer: string): unknown {
  const fenced = fencedIn(answer);
  const braced = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  for (const text of [answer, fenced ?? "", braced]) {
    try {
      return JSON.parse(text);
    } catch {}
  }
  throw new Error("there is no JSON in it");
}

/** The content of the first fenced block, which goes on to the last line that is such a fence. */
export function fencedIn(answer: string): string | undefined {
  const lines = answer.split("\n");
  const fenceOf = (line: string) => /^ {0,3}(`{3,20}|~{3,20})/.exec(line)?.[1];
  const first = lines.findIndex((line) => fenceOf(line) !== undefined);
  const mark = fenceOf(lines[first] ?? "");
  if (mark === undefined) return undefined;
  const last = lines.findLastIndex((line, index) => index > first && line.trim() === mark);
  return lines.slice(first + 1, last < 0 ? undefined : last).join("\n");
}

/** A sentence of a model on one line, and not a long one. */
export const sentence = z
  .string()
  .transform((text) => text.replace(/\s+/g, " ").trim())
  .pipe(z.string().min(1).max(400));
