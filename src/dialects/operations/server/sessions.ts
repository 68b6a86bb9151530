import type * as z from "zod";
import { DragomanError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import { Gate } from "../../../core/gate.ts";
import { randomId } from "../../../core/ids.ts";
import { type Caller, may } from "../../../core/roles.ts";
import { withoutAllow } from "../../../core/rules.ts";
import type { RunRequest } from "../../../core/session.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { changeSession, engineOfNew } from "../../engine-choice.ts";
import { checkModel } from "../../models.ts";
import { MOST_LOOKED_THROUGH, ServedFolder } from "../../served-folder.ts";
import type { calls } from "../calls.ts";
import type { Attendance } from "./attendance.ts";
import type { Services } from "./services.ts";
import { type SessionState, sessionState } from "./session-state.ts";

type Wanted = z.output<(typeof calls)["POST /sessions"]["params"]>;
type Change = z.output<(typeof calls)["PATCH /sessions/{id}"]["params"]>;
type Prompt = z.output<(typeof calls)["POST /sessions/{id}/prompt"]["params"]>;

export interface Prompted {
  operationId: string;
  queued: boolean;
  estimatedSeconds: number;
}

/** Each has all that is looked through in memory. */
const MOST_LISTINGS = 4;

const QUICK_SECONDS = 5;
const MODEL_SECONDS = 60;

/** The sessions of the served folder, whichever protocol they were begun on. Those of others are there for whoever may do everything. */
export class Sessions {
  readonly #services: Services;
  readonly #attendance: Attendance;
  readonly #served: ServedFolder;
  readonly #listing = new Gate(MOST_LISTINGS);

  constructor(services: Services, attendance: Attendance) {
    this.#services = services;
    this.#attendance = attendance;
    this.#served = new ServedFolder(services.workspace);
  }

  /** The latest changed first. */
  list(limit: number, caller: Caller): Promise<SessionState[]> {
    const { store } = this.#services.runtime;
    return this.#listing.pass(async () => {
      const sessions = may(caller, "admin")
        ? await store.sessions({ limit })
        : await this.#served.seen(await store.sessions({ limit: MOST_LOOKED_THROUGH }), limit, caller);
      return sessions.map((summary) => this.#stateOf(summary));
    });
  }

  async state(sessionId: string, caller: Caller): Promise<SessionState> {
    return this.#stateOf(await this.#find(sessionId, caller));
  }

  /** A new one, in the served folder. */
  async create({ title, ...wanted }: Wanted, by: Origin): Promise<SessionState> {
    const { runtime } = this.#services;
    const { engine, model } = wanted;
    const { path: workspace } = this.#served;
    const working = await engineOfNew(this.#services, { engine, model });
    const { id } = await runtime.create({ workspace, ...working, title, by });
    return this.#now(id);
  }

  /** What does its work from the next run on, and its title. */
  async change({ id, title, engine, model }: Change, caller: Caller): Promise<SessionState> {
    const { runtime } = this.#services;
    const before = await this.#find(id, caller);
    await changeSession(runtime, await runtime.open(id), before, { title, engine, model });
    return this.#now(id);
  }

  /** Resolves when it is on disk that it runs, or waits for what runs. */
  async prompt({ id, prompt, model }: Prompt, caller: Caller, by: Origin): Promise<Prompted> {
    const { runtime } = this.#services;
    const { engine: name } = await this.#find(id, caller);
    await checkModel(runtime, name, model);
    const mayApprove = may(caller, "approve");
    const { runId, queued } = await this.#run(await runtime.open(id), mayApprove, {
      kind: "prompt",
      input: { text: prompt },
      by,
      model,
      // What others allowed in a session is not there for who may not approve.
      ...(!mayApprove && { rules: withoutAllow(undefined) }),
      whenBusy: "queue",
    });
    return { operationId: runId, queued, estimatedSeconds: name === "builtin" ? QUICK_SECONDS : MODEL_SECONDS };
  }

  /** Who prompts and may approve is there to be asked until the run has ended. */
  async #run(session: SessionHandle, mayApprove: boolean, request: RunRequest) {
    const runId = randomId();
    if (!mayApprove) return session.prompt({ ...request, runId });
    const leave = this.#attendance.add(session, true, 0); // it may ask before anyone has connected
    try {
      const begun = await session.prompt({ ...request, runId });
      this.#attendance.holdRun(session, runId, leave);
      return begun;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #now(sessionId: string): Promise<SessionState> {
    const summary = await this.#services.runtime.store.session(sessionId);
    if (!summary) throw notFound(); // it was removed at once
    return this.#stateOf(summary);
  }

  async #find(sessionId: string, caller: Caller): Promise<SessionSummary> {
    const summary = await this.#services.runtime.store.session(sessionId);
    // Whether there is something elsewhere is not told.
    if (!summary || !(await this.#served.admits(summary.workspace, caller))) throw notFound();
    return summary;
  }

  #stateOf(summary: SessionSummary): SessionState {
    return sessionState(summary, this.#services.addresses?.(summary));
  }
}

function notFound(): DragomanError {
  const advice = "GET /api/v1/sessions names those there are.";
  return new DragomanError("session_not_found", `There is no session of that id, or it was removed. ${advice}`);
}
