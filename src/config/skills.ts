import { realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { messageOf } from "../core/errors.ts";
import { printable } from "./printable.ts";
import { readSkillFile, type SkillFile } from "./skill-file.ts";
import { findSkills, repoFolders, type SkillError, type SkillPath, type SkillRoot } from "./skill-tree.ts";

const MAX_SKILLS = 200;
const MAX_CATALOGUE_BYTES = 32 * 1024;
const MAX_ERRORS = 100;
const MAX_CACHED = 2000;
/** For each scope, so that a repo with a great many leaves the user theirs. */
const MOST_LOOKED_AT = { entries: 10_000, files: 400 };

export type SkillScope = "repo" | "user";

export interface Skill {
  id: string;
  name: string;
  description: string;
  /** Of its SKILL.md. */
  path: string;
  dir: string;
  scope: SkillScope;
  mtimeMs: number;
}

export interface SkillList {
  skills: Skill[];
  errors: SkillError[];
  /** There are more than are listed. */
  truncated: boolean;
}

export interface SkillsOptions {
  /** The user's own folder, the one with `.agents` in it; not Dragoman's data folder. */
  userFolder: string;
}

/** The skills that are on disk. The folders are looked at each time; a file is read again only when it has changed. */
export class Skills {
  readonly #userFolder: string;
  readonly #read = new Map<string, { stamp: string; file: SkillFile }>();

  constructor({ userFolder }: SkillsOptions) {
    this.#userFolder = userFolder;
  }

  async list({ cwd, forceReload = false }: { cwd: string; forceReload?: boolean }): Promise<SkillList> {
    if (forceReload) this.#read.clear();
    const list: SkillList = { skills: [], errors: [], truncated: false };
    const user = join(this.#userFolder, ".agents", "skills");
    const roots = await repoRoots(resolve(cwd), user, list.errors);
    await this.#collect("repo", roots, list);
    await this.#collect("user", [{ path: user }], list);
    return bounded(list);
  }

  /** Of two with the same name the nearest counts. In one and the same tree nobody could tell which is meant. */
  async #collect(scope: SkillScope, roots: SkillRoot[], list: SkillList): Promise<void> {
    const nearer = new Map<string, Skill>();
    const budget = { ...MOST_LOOKED_AT };
    for (const root of roots) {
      const { found, errors, truncated } = await findSkills(root, budget);
      list.errors.push(...errors);
      list.truncated ||= truncated;
      const here = new Map<string, Skill>();
      for (const one of found) {
        const skill = await this.#skill(scope, one);
        const twin = "message" in skill ? undefined : here.get(skill.name);
        if ("message" in skill) list.errors.push(skill);
        else if (twin) list.errors.push({ path: skill.path, message: `${printable(twin.path)} has the same name.` });
        else here.set(skill.name, skill);
      }
      for (const [name, skill] of here) if (!nearer.has(name)) nearer.set(name, skill);
    }
    list.skills.push(...[...nearer.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  async #skill(scope: SkillScope, { path, dir }: SkillPath): Promise<Skill | SkillError> {
    const file = await this.#file(path, dir);
    if ("problem" in file) return { path, message: file.problem };
    return { id: `${scope}:${file.head.name}`, ...file.head, path, dir, scope, mtimeMs: file.mtimeMs };
  }

  async #file(path: string, dir: string): Promise<SkillFile> {
    const stamp = await stampOf(path);
    const known = this.#read.get(path);
    if (known && known.stamp === stamp) return known.file;
    const file = await readSkillFile(path, basename(dir));
    if (this.#read.size >= MAX_CACHED) this.#read.clear();
    if (stamp !== undefined) this.#read.set(path, { stamp, file });
    return file;
  }
}

async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}

async function repoRoots(cwd: string, user: string, errors: SkillError[]): Promise<SkillRoot[]> {
  try {
    const folders = await repoFolders(await realpath(cwd));
    const within = folders.at(-1);
    const userReal = await realpath(user).catch(() => user);
    const roots = folders.map((folder) => ({ path: join(folder, ".agents", "skills"), within }));
    // Whoever keeps their own folder in a repo has one set of skills, not two.
    return roots.filter(({ path }) => path !== userReal);
  } catch (error) {
    errors.push({ path: cwd, message: printable(messageOf(error)) });
    return [];
  }
}

/** What fits into a catalogue, in order. */
export function bounded({ skills, errors, truncated }: SkillList): SkillList {
  const kept: Skill[] = [];
  let bytes = 0;
  for (const skill of skills) {
    bytes += Buffer.byteLength(JSON.stringify(skill)) + 2; // a comma, and a name that is longer on the wire
    if (kept.length === MAX_SKILLS || bytes > MAX_CATALOGUE_BYTES) break;
    kept.push(skill);
  }
  const isCut = truncated || kept.length < skills.length || errors.length > MAX_ERRORS;
  return { skills: kept, errors: errors.slice(0, MAX_ERRORS), truncated: isCut };
}
