import { lstatSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { readPrivateFile } from "../config/private-file.ts";
import { checkOwnersOnly } from "../config/text-file.ts";

/** No file system's times are coarser than this. */
const COARSEST_TIME_MS = 2000;

/** A private file in the data folder that any process of the user may change. It is read again only when it may be another one. */
export class WatchedFile<T extends object> {
  readonly path: string;
  readonly #home: string;
  readonly #maxBytes: number;
  readonly #parse: (text: string | undefined) => T;
  #answered: { stats?: Stats; text?: string } | undefined;

  /** `parse` is given no text where there is no file, and throws at what cannot be used. */
  constructor(home: string, name: string, maxBytes: number, parse: (text: string | undefined) => T) {
    this.path = join(home, name);
    this.#home = home;
    this.#maxBytes = maxBytes;
    this.#parse = parse;
  }

  read(): T {
    return this.#parse(this.readText());
  }

  /** What is in it, unless that is what was answered the last time. */
  readChanges(): T | "unchanged" {
    const last = this.#answered;
    this.#answered = undefined; // unless there is an answer
    const stats = lstatSync(this.path, { throwIfNoEntry: false });
    if (stats && last?.stats && isUntouched(last.stats, stats)) {
      this.#answered = last;
      return "unchanged";
    }
    const text = this.readText();
    const answer = last && text === last.text ? "unchanged" : this.#parse(text);
    this.#answered = { stats: stats && isSettled(stats) ? stats : undefined, text };
    return answer;
  }

  readText(): string | undefined {
    const home = statSync(this.#home, { throwIfNoEntry: false });
    if (!home) return undefined;
    checkOwnersOnly(this.#home, home); // others could put back a file of before a revocation
    return readPrivateFile(this.path, this.#maxBytes);
  }
}

/** Whether any further write will be seen in its times. */
const isSettled = ({ ctimeMs }: Stats) => Date.now() - ctimeMs > COARSEST_TIME_MS;

const isUntouched = (before: Stats, now: Stats) =>
  before.ctimeMs === now.ctimeMs &&
  before.mtimeMs === now.mtimeMs &&
  before.ino === now.ino &&
  before.size === now.size &&
  before.dev === now.dev;
