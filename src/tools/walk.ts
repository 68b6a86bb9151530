import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { DragomanError } from "../core/errors.ts";
import type { Target } from "../core/tool.ts";
import { dataFolder } from "./data-folder.ts";
import { type IgnoreRules, isIgnored, rulesAbove, rulesIn } from "./ignore-rules.ts";
import { fileError } from "./open-file.ts";
import { codeOf, realPath } from "./real-path.ts";

export interface WalkLimits {
  /** How many folders deep; 1 is what lies in the folder itself. */
  depth?: number;
  /** Names that are looked at, ignored ones included. */
  entries?: number;
  milliseconds?: number;
}

export type EntryType = "file" | "directory" | "symlink" | "other";

export interface Entry {
  /** As a person is shown it. */
  path: string;
  /** From the folder that is walked, with slashes. */
  below: string;
  real: string;
  type: EntryType;
}

/** For how long a walk keeps everyone else in the process waiting. */
const TURN_MS = 10;

/**
 * All that lies in a folder, each folder's names in their order and a folder before what is in it, without what git ignores and
 * without `.git` and Dragoman's own data, whose tokens are not for an engine. Links are named, not followed: they may lead out of the folder, or back into it.
 */
export class Walk {
  /** Whether something was left out because of a limit, or could not be read. */
  incomplete = false;
  readonly #start: Target;
  readonly #shown: string;
  readonly #top: string;
  readonly #signal: AbortSignal;
  readonly #depth: number;
  readonly #until: number;
  #entriesLeft: number;
  #turnUntil = 0;
  #data: string | undefined;

  constructor(start: Target, workspace: string, signal: AbortSignal, limits: WalkLimits = {}) {
    this.#start = start;
    this.#shown = start.path === "." ? "" : start.path.replace(/\/?$/, "/");
    this.#top = start.outside ? start.real : workspace;
    this.#signal = signal;
    this.#depth = limits.depth ?? Number.POSITIVE_INFINITY;
    this.#entriesLeft = limits.entries ?? 200_000;
    this.#until = performance.now() + (limits.milliseconds ?? 20_000);
  }

  async *entries(): AsyncGenerator<Entry> {
    const { real, path, outside } = this.#start;
    // Who was allowed to go outside may have been allowed just that.
    if (!outside) this.#data = await realPath(dataFolder()).catch(() => undefined);
    const stack = await this.#folder("", real, await rulesAbove(real, this.#top), 1).catch((error) => {
      if (codeOf(error) !== "ENOTDIR") throw fileError(error, path);
      throw new DragomanError("tool_failed", `${path} is a file, not a folder. Use read to see what is in it.`);
    });
    for (let next = stack.pop(); next; next = stack.pop()) {
      await this.#pause();
      if (this.#isOver()) return;
      const { entry, rules, depth } = next;
      const isFolder = entry.type === "directory";
      if (isIgnored(rules, entry.real, isFolder)) continue;
      yield entry;
      if (!isFolder || depth >= this.#depth) continue;
      for (const one of await this.#below(entry, rules, depth + 1)) stack.push(one);
    }
  }

  async #below(entry: Entry, rules: IgnoreRules, depth: number): Promise<Pending[]> {
    try {
      return await this.#folder(`${entry.below}/`, entry.real, rules, depth);
    } catch {
      this.incomplete = true; // gone by now, or not ours to read: no reason to miss all the rest
      return [];
    }
  }

  async #folder(prefix: string, folder: string, above: IgnoreRules, depth: number): Promise<Pending[]> {
    const found: Dirent[] = [];
    let rules = above;
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      if (this.#entriesLeft <= 0) {
        this.incomplete = true;
        break;
      }
      this.#entriesLeft -= 1;
      found.push(entry);
    }
    if (found.some(({ name }) => isGit(name) || name === ".gitignore")) rules = await rulesIn(folder, above);
    return found
      .filter(({ name }) => !isGit(name) && join(folder, name) !== this.#data)
      .sort((a, b) => (a.name > b.name ? -1 : 1)) // the last one is taken first
      .map((one) => {
        const below = prefix + one.name;
        const entry = { path: this.#shown + below, below, real: join(folder, one.name), type: typeOf(one) };
        return { entry, rules, depth };
      });
  }

  async #pause(): Promise<void> {
    if (performance.now() < this.#turnUntil) return;
    await setImmediate();
    this.#turnUntil = performance.now() + TURN_MS;
  }

  #isOver(): boolean {
    if (this.#signal.aborted) throw new DragomanError("cancelled", "The walk through the files was cancelled.");
    if (performance.now() < this.#until) return false;
    this.incomplete = true;
    return true;
  }
}

const isGit = (name: string) => name.toLowerCase() === ".git";

function typeOf(entry: Dirent): EntryType {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

interface Pending {
  entry: Entry;
  rules: IgnoreRules;
  depth: number;
}
