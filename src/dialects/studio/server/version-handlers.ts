import * as z from "zod";
import type { SessionLog } from "../../../core/engine.ts";
import { DragomanError } from "../../../core/errors.ts";
import { Gate } from "../../../core/gate.ts";
import type { Store } from "../../../core/store.ts";
import { type Version, versionsIn, type WholeVersion, wholeVersion } from "../../../core/versions.ts";
import { compared } from "./compared.ts";
import type { Where } from "./connection-sessions.ts";
import { begun, type HandlerOptions, type StudioHandlers } from "./handlers.ts";
import { reverting } from "./run-input.ts";

type VersionHandlers = Pick<StudioHandlers, "version/list" | "version/get" | "version/diff" | "version/revert">;

/** What the runs of a session made. Nothing of it is ever changed: to go back is to make an earlier one anew. */
export function versionHandlers(options: HandlerOptions): VersionHandlers {
  const logFor = (where: Where) => options.sessions.inTurn(() => visibleLog(options, where));
  // One after the other: all of them would find room before the first has taken any, and one host would have all the threads.
  const [gets, diffs] = [new Gate(1), new Gate(1)];
  const inTurn = <T>(turns: Gate, work: () => Promise<T>) =>
    turns.pass(async () => {
      await options.room();
      return work();
    });
  return {
    "version/list": async (where) => ({ versions: (await versionsIn(await logFor(where))).map(listed) }),
    "version/get": ({ version, ...where }) =>
      inTurn(gets, async () => {
        const { result, ...about } = await demanded(await logFor(where), version);
        return { ...listed(about), code: result.code };
      }),
    "version/diff": ({ from, to, ...where }) =>
      inTurn(diffs, async () => {
        const log = await logFor(where);
        const [before, after] = await Promise.all([demanded(log, from), demanded(log, to)]);
        const diff = await compared({ before: fileOf(before), after: fileOf(after) }, options.gone);
        return { from, to, diff };
      }),
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

const fileOf = ({ version, result }: WholeVersion) => ({ name: `version-${version}.tsx`, text: result.code });
