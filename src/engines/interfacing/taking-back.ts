import type { SessionLog } from "../../core/engine.ts";
import { baseOf, madeFrom, type Version, versionsIn, type WholeVersion, wholeVersion } from "../../core/versions.ts";
import { isSameCode, withoutEdits } from "../../generator/customizing/carry-edits.ts";
import { backWanted } from "../../generator/customizing/customize.ts";
import { withCustomizations } from "../../generator/emitting/customizations.ts";

export interface TakenBack {
  code: string;
  description: string;
  /** The version that it is the same as. */
  restores?: number;
}

/**
 * What a session's interface is without its last change, or without any, by its versions: a patch of the code is known by the version before
 * it alone. Undefined where they do not say, as after a new description; the grammar takes customizations back by themselves then.
 */
export async function takenBack(log: SessionLog, prompt: string, latest: WholeVersion): Promise<TakenBack | undefined> {
  const wanted = backWanted(prompt);
  if (!wanted) return undefined;
  const all = await versionsIn(log);
  return wanted === "all" ? asGenerated(log, all, latest) : withoutLast(log, all, latest);
}

async function withoutLast(log: SessionLog, all: Version[], latest: WholeVersion): Promise<TakenBack | undefined> {
  const last = restoredBy(all, latest);
  if (!last || last.action === "generate" || last.data.takesBack === true) return undefined;
  const of = last.action === "revert" ? undefined : madeFrom(last);
  const before = await wholeVersion(log, of ?? last.version - 1);
  return before && { code: before.result.code, description: `Undone: ${last.description}`, restores: before.version };
}

/** The version that this one is the same as, if it is one that took something back. */
function restoredBy(all: Version[], version: Version): Version | undefined {
  let one: Version | undefined = version;
  while (one && typeof one.data.restores === "number" && one.data.restores < one.version) {
    one = all[one.data.restores - 1];
  }
  return one;
}

async function asGenerated(log: SessionLog, all: Version[], latest: WholeVersion): Promise<TakenBack | undefined> {
  const base = baseOf(all, latest);
  const generated = base && (await wholeVersion(log, base.version));
  if (!generated) return undefined;
  const code = withoutEdits(generated.result.code, generated.data.edits);
  if (isSameCode(code, latest.result.code)) return undefined;
  return { code: withCustomizations(code, []) ?? code, description: "Everything is as it was generated." };
}
