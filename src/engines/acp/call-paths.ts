import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { changedPaths, pathsOf } from "./call-content.ts";
import type { ToldCall } from "./call-readings.ts";

/** Deeper than anybody nests arguments. */
const DEEPEST = 20;
const LONGEST_PATH = 4096;

const pathField = /(?:path|file_?name)s?$/i;
/** What may as well be something else: the text of a file, a person. */
const placeField = /(?:file|dir|folder)s?$|director(?:y|ies)$|^(?:source|src|target|destination|dest|from|to|cwd)$/i;

/** Every file and folder that a call shows, lies in or names. */
export function pathsIn({ rawInput, content, locations }: ToldCall, workspace: string): string[] {
  const all = [...changedPaths(content), ...pathsOf(locations), ...namedPaths(rawInput, 0)];
  const byPlace = new Map<string, string>();
  for (const path of all.filter((each) => each !== "").map(fromHome)) {
    const place = resolve(workspace, path);
    if (!byPlace.has(place)) byPlace.set(place, path);
  }
  return [...byPlace.values()];
}

function* namedPaths(value: unknown, depth: number): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  if (depth > DEEPEST) yield "/";
  else for (const [field, inner] of Object.entries(value)) yield* pathsOfField(field, inner, depth);
}

function* pathsOfField(field: string, value: unknown, depth: number): Generator<string> {
  for (const each of Array.isArray(value) ? value : [value]) {
    if (typeof each !== "string") yield* namedPaths(each, depth + 1);
    else if (pathField.test(field) || (placeField.test(field) && isOneLine(each))) yield each;
  }
}

const isOneLine = (text: string) => text.length <= LONGEST_PATH && !/[\n\r]/.test(text);

/** To us `~` is a name like any other; to an agent it need not be. */
const fromHome = (path: string) => (/^~(?:\/|$)/.test(path) ? join(homedir(), path.slice(1)) : path);
