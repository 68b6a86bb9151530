import { stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Turn } from "../core/engine.ts";
import type { Event } from "../core/events.ts";
import { isFeatureName } from "../operations/features/document-content.ts";

// Few words are taken for an operation, and only where what they name is there: all else is for the engine itself.

const words =
  /^(?:please )?(clarify|analy[sz]e|plan)(?: the)?(?: spec(?:ification)?(?: of)?| tasks(?: of)?| feature)? ([\w./-]{1,300})$/i;

interface Worded {
  turn: Turn;
  /** A file or folder in the workspace that must be there. */
  there: string;
  isFile: boolean;
}

/** The turn as an operation, where that is what its words say. */
export async function operationInWords(turn: Turn): Promise<Turn | undefined> {
  const worded = wordedOperation(turn);
  if (!worded) return undefined;
  const found = await stat(worded.there).catch(() => undefined);
  return found && found.isFile() === worded.isFile ? worded.turn : undefined;
}

/** What was there then may have gone since; the log says as what the words were taken. */
export function hasBegunFromWords(turn: Turn, log: Event[]): Turn | undefined {
  const call = log.find((event) => event.type === "tool.requested");
  return call?.type === "tool.requested" && call.tool === "spec_read" ? wordedOperation(turn)?.turn : undefined;
}

function wordedOperation(turn: Turn): Worded | undefined {
  const { input, workspace } = turn;
  if (input.action !== undefined) return undefined;
  const text = input.text.trim().replace(/[.!]$/, "");
  const [, verb = "", named = ""] = text.length <= 400 ? (words.exec(text) ?? []) : [];
  if (named === "") return undefined;
  const action = verb.toLowerCase().replace("analyse", "analyze");
  const taken = (args: Record<string, string>) => ({ ...turn, input: { ...input, action, args } });
  if (/\.md$/i.test(named)) {
    const there = resolve(workspace, named);
    return there.startsWith(workspace + sep) ? { turn: taken({ file: named }), there, isFile: true } : undefined;
  }
  const feature = named.replace(/^specs\//, "").replace(/\/$/, "");
  if (!isFeatureName(feature)) return undefined;
  return { turn: taken({ feature }), there: join(workspace, "specs", feature), isFile: false };
}
