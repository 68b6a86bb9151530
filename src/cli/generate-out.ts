import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DragomanError } from "../core/errors.ts";
import type { ProjectFiles } from "../generator/emitting/emit-project.ts";

// What was written is remembered, so that it can be written again, and nothing of what a person changed since is lost.

const RECORD = ".dragoman.json";

interface WrittenRecord {
  /** By path, the SHA-256 of what was written. */
  files: Record<string, string>;
}

/** What a person changed since it was written, and so was left as it is. */
export interface Kept {
  /** What is generated for them is no longer what they were made from: it stands beside them, as `<file>.new`. */
  outdated: string[];
  /** There is nothing new for them. */
  current: string[];
  /** They are no longer generated. */
  abandoned: string[];
}

export async function writeProject(folder: string, files: ProjectFiles, force: boolean): Promise<Kept> {
  const before = await recordIn(folder);
  if (!force && !before) await checkEmpty(folder);
  const gone = Object.keys(before?.files ?? {}).filter((path) => !Object.hasOwn(files, path));
  const changed = force ? new Set<string>() : await changedIn(folder, [...Object.keys(files), ...gone], before);
  const outdated = Object.entries(files).flatMap(([path, text]) =>
    changed.has(path) && before?.files[path] !== sha256(text) ? [path] : [],
  );
  const beside = outdated.map((path) => `${path}.new`);
  await checkInside(folder, [...Object.keys(files), ...gone, ...beside, RECORD]);
  for (const path of gone) if (!changed.has(path)) await rm(join(folder, path), { force: true });
  for (const [path, text] of Object.entries(files)) {
    if (changed.has(path) && !outdated.includes(path)) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeAnew(join(folder, changed.has(path) ? `${path}.new` : path), text);
  }
  const written = Object.entries(files).map(([path, text]) => [path, sha256(text)]);
  await writeAnew(join(folder, RECORD), `${JSON.stringify({ files: Object.fromEntries(written) }, null, 2)}\n`);
  const abandoned = gone.filter((path) => changed.has(path));
  const current = Object.keys(files).filter((path) => changed.has(path) && !outdated.includes(path));
  return { outdated, current, abandoned };
}

/** A file of its own: what is there may be one under a name elsewhere, too. */
async function writeAnew(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: "wx" });
}

/** The folder may be of someone else's making: a link in it could lead anywhere. Only the folder itself may be one. */
async function checkInside(folder: string, paths: string[]): Promise<void> {
  const places = new Set(paths.flatMap(placesOf));
  const ofFiles = new Set(paths);
  for (const place of places) {
    const found = await lstat(join(folder, place)).catch(() => undefined);
    const isFile = ofFiles.has(place);
    if (found === undefined || (isFile ? found.isFile() : found.isDirectory())) continue;
    const what = found.isSymbolicLink() ? "a link, which may lead out of the folder" : "in the way of what is written";
    throw new DragomanError("conflict", `${join(folder, place)} is ${what}. Remove it, or give another folder.`);
  }
}

/** "src/ui/a.ts": the folders that it is in, and the file. */
function placesOf(path: string): string[] {
  const parts = path.split(/[/\\]/);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

async function checkEmpty(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTDIR") return [];
    throw new DragomanError("conflict", `${folder} is a file. Give a folder.`);
  });
  if (there.length === 0) return;
  throw new DragomanError("conflict", `${folder} is not empty. Give another folder, or --force to write into it.`);
}

async function changedIn(
  folder: string,
  paths: string[],
  before: WrittenRecord | undefined,
): Promise<ReadonlySet<string>> {
  if (!before) return new Set();
  const judged = await Promise.all(
    paths.map(async (path) => ({ path, changed: await isChanged(folder, path, before) })),
  );
  return new Set(judged.filter((one) => one.changed).map(({ path }) => path));
}

/** A file that is gone holds nothing that could be lost. */
async function isChanged(folder: string, path: string, before: WrittenRecord): Promise<boolean> {
  const text = await readFile(join(folder, path), "utf8").catch(() => undefined);
  return text !== undefined && before.files[path] !== sha256(text);
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The record is in the project, where anyone can write: only paths inside it count. */
async function recordIn(folder: string): Promise<WrittenRecord | undefined> {
  await checkInside(folder, [RECORD]);
  const text = await readFile(join(folder, RECORD), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { files } = JSON.parse(text);
    const entries = Object.entries(files).filter(([path]) => isInside(path));
    return { files: Object.fromEntries(entries) as Record<string, string> };
  } catch {
    return undefined;
  }
}

/** Plain names with "/" between them, as this program writes them. */
const isInside = (path: string) =>
  !/[\\:\0]/.test(path) && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
