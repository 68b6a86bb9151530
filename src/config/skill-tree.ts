import type { Dir, Dirent } from "node:fs";
import { opendir, realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { messageOf } from "../core/errors.ts";
import { printable } from "./printable.ts";
import { codeOf } from "./text-file.ts";

const MAX_DEPTH = 8;
const MAX_ANCESTORS = 64;

export interface SkillPath {
  path: string;
  dir: string;
}

export interface SkillError {
  path: string;
  message: string;
}

export interface SkillTree {
  found: SkillPath[];
  errors: SkillError[];
  truncated: boolean;
}

/** How much is looked at before a list counts as truncated. */
export interface Budget {
  entries: number;
  files: number;
}

/** A `skills` folder, and the folder that links in it must not lead out of. */
export interface SkillRoot {
  path: string;
  within?: string;
}

/** From the working folder up to the root of its repo, nearest first. Outside of a repo the working folder stands for itself. */
export async function repoFolders(cwd: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = cwd; folders.length < MAX_ANCESTORS; folder = dirname(folder)) {
    folders.push(folder);
    if (await isThere(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) break;
  }
  return [cwd];
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Every SKILL.md below a folder. No folder is entered twice, by whatever links it is reached. */
export async function findSkills(root: SkillRoot, budget: Budget): Promise<SkillTree> {
  const walk = new Walk(root, budget);
  await walk.enter(root.path, 0);
  return {
    found: walk.found.sort((a, b) => (a.path < b.path ? -1 : 1)),
    errors: walk.errors,
    truncated: walk.truncated,
  };
}

class Walk implements SkillTree {
  readonly found: SkillPath[] = [];
  readonly errors: SkillError[] = [];
  truncated = false;
  readonly #root: SkillRoot;
  readonly #entered = new Set<string>();
  readonly #budget: Budget;

  constructor(root: SkillRoot, budget: Budget) {
    this.#root = root;
    this.#budget = budget;
  }

  async enter(path: string, depth: number): Promise<void> {
    try {
      const real = await realpath(path);
      if (this.#entered.has(real)) return;
      this.#entered.add(real);
      if (!this.#mayRead(path, real)) return;
      for (const folder of await this.#list(path, await opendir(path))) await this.#descend(folder, depth + 1);
    } catch (error) {
      // No such folder is the ordinary case.
      if (depth > 0 || codeOf(error) !== "ENOENT") this.#fail(path, messageOf(error));
    }
  }

  async #descend(path: string, depth: number): Promise<void> {
    if (this.#budget.entries < 0 || depth > MAX_DEPTH) this.truncated = true;
    else await this.enter(path, depth);
  }

  /** Notes the skill of this folder; returns the folders in it. */
  async #list(dir: string, entries: Dir): Promise<string[]> {
    const folders: string[] = [];
    for await (const entry of entries) {
      if (--this.#budget.entries < 0) {
        this.truncated = true;
        break;
      }
      const path = join(dir, entry.name);
      if (entry.name === "SKILL.md") await this.#note({ path, dir });
      else if (entry.name !== "node_modules" && entry.name !== ".git" && (await isFolder(path, entry)))
        folders.push(path);
    }
    return folders.sort();
  }

  async #note(skill: SkillPath): Promise<void> {
    try {
      if (!this.#mayRead(skill.path, await realpath(skill.path))) return;
      if (--this.#budget.files < 0) this.truncated = true;
      else this.found.push(skill);
    } catch (error) {
      this.#fail(skill.path, messageOf(error));
    }
  }

  #mayRead(path: string, real: string): boolean {
    const { within } = this.#root;
    if (within === undefined || real === within || real.startsWith(within.endsWith(sep) ? within : within + sep)) {
      return true;
    }
    this.#fail(path, "It is a link that leads out of the repo, and is not followed.");
    return false;
  }

  #fail(path: string, message: string): void {
    this.errors.push({ path, message: printable(message) });
  }
}

async function isFolder(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
