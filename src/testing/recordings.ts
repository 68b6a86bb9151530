import { readdirSync, readFileSync } from "node:fs";
import { type Recording, readRecording } from "../engines/recording.ts";

const folder = new URL("../../recordings/", import.meta.url);

/** The one set of recorded logs that every dialect is held to. */
export const recordings: ReadonlyMap<string, Recording> = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .sort()
    .map((file) => [file.slice(0, -".jsonl".length), readRecording(readFileSync(new URL(file, folder), "utf8"))]),
);

export function recording(name: string): Recording {
  const found = recordings.get(name);
  if (!found) throw new Error(`there is no recording ${name}`);
  return found;
}
