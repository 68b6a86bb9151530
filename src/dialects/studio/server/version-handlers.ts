import { createTwoFilesPatch } from "diff";
import * as z from "zod";
import type { SessionLog } from "../../../core/engine.ts";
import { DragomanError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store.ts";
import { type Version, versionsIn, type WholeVersion, wholeVersion } from "../../../core/versions.ts";
import type { Where } from "./connection-sessions.ts";
import { begun, type HandlerOptions, type StudioHandlers } from "./handlers.ts";
import { reverting } from "./run-input.ts";

type VersionHandlers = Pick<StudioHandlers, "version/list" | "version/get" | "version/diff" | "version/revert">;

/** What the runs of a session made. Nothing of it is ever changed: to go back is to make an earlier one anew. */
export function versionHandlers(options: HandlerOptions): VersionHandlers {
  const logFor = (where: Where) => options.sessions.inTurn(() => visibleLog(options, where));
  return {
    "version/list": async (where) => ({ versions: (await versionsIn(await logFor(where))).map(listed) }),
    "version/get": async ({ version, ...where }) => {
      await options.room();
      const { input: _, result, ...about } = await demanded(await logFor(where), version);
      return { ...listed(about), code: result.code };
    },
    "version/diff": async ({ from, to, ...where }) => {
      const log = await logFor(where);
      const [before, after] = await Promise.all([demanded(log, from), demanded(log, to)]);
      return { from, to, diff: diffOf(before, after) };
    },
    "version/revert": ({ version, sessionId, tabId, context }, call) =>
      begun(options, { sessionId, tabId, ...context }, reverting(version), call),
  };
}

const kinds: Record<string, "generation" | "customization" | "rollback"> = {
  generate: "generation",
  customize: "customization",
  revert: "rollback",
};

function listed({ version, action = "", at, prompt, description, runId, by, data }: Version) {
  const { assumptions, of } = toldBeside.parse(data);
  return { version, kind: kinds[action] ?? "generation", at, prompt, description, runId, by: by.user, assumptions, of };
}

const toldBeside = z.object({
  assumptions: z.array(z.string()).optional().catch(undefined),
  of: z.int().positive().optional().catch(undefined),
});

async function visibleLog({ sessions, visible }: HandlerOptions, where: Where): Promise<SessionLog> {
  const id = sessions.idOf(where);
  if (id === undefined)
    throw new DragomanError("session_not_found", "There is no session yet. Its first request makes it.");
  await visible.known(id);
  return logOf((await sessions.node()).runtime.store, id);
}

export const logOf = (store: Pick<Store, "read" | "artifact">, sessionId: string): SessionLog => ({
  read: (range) => store.read(sessionId, range),
  artifact: (artifactId) => store.artifact(sessionId, artifactId),
});

async function demanded(log: SessionLog, version: number): Promise<WholeVersion> {
  const found = await wholeVersion(log, version);
  if (found) return found;
  const last = (await versionsIn(log)).length;
  const there = last === 0 ? "The session has none yet." : `The session has versions 1 to ${last}.`;
  throw new DragomanError("invalid_params", `There is no version ${version}. ${there}`);
}

/** Beyond it the two have little in common, and to find what that is would take long. */
const MOST_CHANGED = 20_000;

function diffOf(before: WholeVersion, after: WholeVersion): string {
  const names = [before, after].map(({ version }) => `version-${version}.tsx`) as [string, string];
  const options = { context: 3, maxEditLength: MOST_CHANGED };
  const diff = createTwoFilesPatch(...names, before.result.code, after.result.code, undefined, undefined, options);
  return diff ?? `--- ${names[0]}\n+++ ${names[1]}\n(The two have too little in common to be compared line by line.)\n`;
}
