import type * as z from "zod";
import { DragomanError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import { randomId } from "../../../core/ids.ts";
import { type Caller, may } from "../../../core/roles.ts";
import type { RunRules } from "../../../core/rules.ts";
import type { RunRequest } from "../../../core/session.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import { isUnderWay, type SessionSummary } from "../../../core/summary.ts";
import type { OperationName } from "../../../operations/perform/request.ts";
import { engineOfNew } from "../../engine-choice.ts";
import type { calls } from "../calls.ts";
import type { Attendance } from "./attendance.ts";
import type { Services } from "./services.ts";

type Wanted = z.output<(typeof calls)["POST /features/{id}/plan"]["params"]>;

export interface Started {
  operationId: string;
  estimatedSeconds: number;
}

/** The rules alone are quick; whoever asks a model waits for it. */
const QUICK_SECONDS: Record<OperationName, number> = { clarify: 5, analyze: 5, plan: 5 };
const MODEL_SECONDS: Record<OperationName, number> = { clarify: 60, analyze: 60, plan: 90 };

/** Starts operations, each in the session of its feature. */
export class Starting {
  readonly #services: Services;
  readonly #attendance: Attendance;

  constructor(services: Services, attendance: Attendance) {
    this.#services = services;
    this.#attendance = attendance;
  }

  /** Resolves when it is on disk that it runs. */
  async start(action: OperationName, wanted: Wanted, caller: Caller, by: Origin): Promise<Started> {
    const { features, push: pushes, log } = this.#services;
    const { id: feature, push = pushes, replace } = wanted;
    await this.#checkDocuments(feature, action);
    const { engine, model } = await engineOfNew(this.#services, { engine: wanted.engine, model: wanted.model });
    const session = await this.#session(feature, engine, by);
    const args = { feature, ...(push !== undefined && { push }), ...(replace !== undefined && { replace }) };
    const operationId = await this.#run(session, {
      kind: "operation",
      input: { text: `${action} ${feature}`, action, args },
      by,
      model,
      rules: rulesFor(caller),
      whenBusy: "refuse",
    });
    log({ level: "info", event: "operation.started", operationId, feature, action, engine, store: features.kind });
    return { operationId, estimatedSeconds: (engine === "builtin" ? QUICK_SECONDS : MODEL_SECONDS)[action] };
  }

  /** What cannot be done is refused now, and not begun with. */
  async #checkDocuments(feature: string, action: OperationName): Promise<void> {
    const { features } = this.#services;
    const documents = await features.read(feature);
    if (action === "analyze") return;
    if (documents.some(({ name }) => name === "spec")) return features.checkSavable(feature);
    const message = `The feature ${feature} has no spec, and ${action} needs one. PUT /api/v1/features/${feature}/spec first.`;
    throw new DragomanError("document_not_found", message);
  }

  async #session(feature: string, engine: string, by: Origin): Promise<SessionHandle> {
    const { runtime, workspace, engine: usual, model: usualModel } = this.#services;
    const model = engine === usual ? usualModel : undefined;
    const sessionId = await this.#services.sessionOf(feature);
    const session = await runtime.ensure(sessionId, { workspace, engine, model, title: `Feature ${feature}`, by });
    await this.#checkFree(sessionId);
    const summary = await runtime.store.session(sessionId);
    if (summary && summary.engine !== engine && !summary.closed) await session.update({ engine });
    return session;
  }

  async #run(session: SessionHandle, request: RunRequest): Promise<string> {
    const runId = randomId();
    const leave = this.#attendance.add(session, true, 0); // it may ask before anyone has connected
    try {
      await session.prompt({ ...request, runId });
    } catch (error) {
      leave();
      if (error instanceof DragomanError && error.code === "run_active") await this.#checkFree(session.id);
      throw error;
    }
    this.#attendance.holdRun(session, runId, leave);
    return runId;
  }

  /** What a lost process left at work is brought to its end first; what waits for answers goes on waiting for them. */
  async #checkFree(sessionId: string): Promise<void> {
    const { runtime } = this.#services;
    const look = async () => activeIn(await runtime.store.session(sessionId));
    if ((await look()) === undefined) return;
    const owner = await runtime.store.nodes.owner(sessionId);
    if (owner?.state !== "alive") await runtime.own(sessionId);
    const active = await look();
    if (active === undefined) return;
    const advice = "Wait for its end, or cancel it.";
    throw new DragomanError("run_active", `An operation is running on this feature. ${advice}`, {
      operation_id: active,
    });
  }
}

function activeIn(summary: SessionSummary | undefined): string | undefined {
  return summary && (isUnderWay(summary) ? summary.run?.runId : summary.queued[0]?.runId);
}

/**
 * To start an operation is to agree that its result is saved among the documents of the feature. What the workspace denies stays
 * denied, and who may not approve has no use of what another one allowed in the session.
 */
function rulesFor(caller: Caller): RunRules {
  const rules: RunRules = { deny: [], ask: [], allow: [{ tool: "spec_save" }] };
  return may(caller, "approve") ? rules : { ...rules, strict: true };
}
