import type * as z from "zod";
import { beginsRun, isTerminal } from "../../../core/event-facts.ts";
import type { EventOf, EventType } from "../../../core/events.ts";
import { findLast } from "../../../core/landmarks.ts";
import type { Store } from "../../../core/store.ts";
import { readWhole } from "../../../core/whole.ts";
import { isoTime } from "../../iso-time.ts";
import type { calls } from "../calls.ts";
import { errors } from "../errors.ts";
import { shownText, shownValue } from "../shown-value.ts";
import { runFailed } from "../wording.ts";
import { type Found, notFound } from "./found-operations.ts";
import { type Ended, questionsOf } from "./question-state.ts";
import { workingOf } from "./working-of.ts";

export type OperationState = z.input<(typeof calls)["GET /operations/{id}"]["result"]>;
type Begun = EventOf<"run.started" | "run.queued">;

const PAGE = 200;

/** How it is with an operation, or with any other run, from its landmarks in the log. */
export async function operationState(store: Store, found: Found): Promise<OperationState> {
  const { operationId, sessionId, seq } = found;
  const [begun] = await store.read(sessionId, { after: seq - 1, limit: 1 });
  if (!begun || !beginsRun(begun) || begun.runId !== operationId) throw notFound(); // it was pruned meanwhile
  const run = await runParts(store, sessionId, begun);
  const { action, args } = begun.input;
  const questions = questionsOf(run);
  const status = statusOf(begun, run.end, questions.filter(({ status }) => status === "pending").length);
  const completed = run.end?.type === "run.completed" ? run.end.result : undefined;
  const { engine, model } = await workingOf(store, found);
  return {
    operation_id: operationId,
    ...(typeof args?.feature === "string" && { feature: shownText(args.feature) }),
    kind: begun.kind === "operation" ? shownText(action ?? begun.kind) : begun.kind,
    status,
    engine,
    ...(model !== undefined && { model }),
    started_at: isoTime(begun.at),
    ended_at: run.end ? isoTime(run.end.at) : null,
    questions,
    result: (shownValue(completed?.data) as Record<string, unknown> | undefined) ?? null,
    report: completed ? shownText(completed.text) : null,
    message: shownText(messageOf(run.end, questions)),
    ...(run.end?.type === "run.failed" && { error: failureOf(run.end.error) }),
  };
}

/** As an error of REST is told. */
function failureOf(error: EventOf<"run.failed">["error"]): OperationState["error"] {
  const details = error.data === undefined ? [] : [shownValue(error.data)];
  return { code: errors[error.code].code, message: shownText(runFailed(error)), details };
}

interface RunParts {
  end: Ended | undefined;
  opened: EventOf<"ask.opened">[];
  closed: EventOf<"ask.closed">[];
  /** Whether what it had to save was saved. */
  saved: boolean;
}

async function runParts(store: Store, sessionId: string, begun: Begun): Promise<RunParts> {
  const { runId, seq, kind } = begun;
  if (begun.type === "run.queued") {
    const end = await findLast(store, sessionId, "run.cancelled", (event) => event.runId === runId);
    return { end, opened: [], closed: [], saved: false };
  }
  const [next] = await store.read(sessionId, { after: seq, limit: 1, type: "run.started" });
  const ofType = <T extends EventType>(type: T) =>
    eventsOf(store, sessionId, type, { runId, after: seq, before: next?.seq });
  const ends = [await ofType("run.completed"), await ofType("run.failed"), await ofType("run.cancelled")];
  const end = ends.flat().find(isTerminal);
  const saves = kind === "operation" && end?.type === "run.completed" ? await ofType("tool.requested") : [];
  const calls = new Set(saves.filter(({ tool }) => tool === "spec_save").map(({ callId }) => callId));
  const finished = calls.size > 0 ? await ofType("tool.finished") : [];
  return {
    end: end && (await whole(store, sessionId, end)),
    opened: await ofType("ask.opened"),
    closed: await ofType("ask.closed"),
    saved: finished.some(({ callId, error }) => calls.has(callId) && !error),
  };
}

interface Within {
  runId: string;
  after: number;
  before?: number;
}

async function eventsOf<T extends EventType>(
  store: Store,
  sessionId: string,
  type: T,
  { runId, after, before }: Within,
): Promise<EventOf<T>[]> {
  const found: EventOf<T>[] = [];
  for (let at = after; ; ) {
    const page = (await store.read(sessionId, { after: at, before, limit: PAGE, type })) as EventOf<T>[];
    const last = page.at(-1);
    if (!last) return found;
    found.push(...page.filter((event) => "runId" in event && event.runId === runId));
    at = last.seq;
  }
}

/** With its result, however large it is. */
async function whole(store: Store, sessionId: string, end: Ended): Promise<Ended> {
  if (end.type !== "run.completed" || end.result.artifactId === undefined) return end;
  const [read] = await readWhole(store, sessionId, { after: end.seq - 1, limit: 1 });
  return read?.type === "run.completed" ? read : end;
}

function statusOf(begun: Begun, end: Ended | undefined, pending: number): OperationState["status"] {
  if (end?.type === "run.completed") return "completed";
  if (end) return end.type === "run.failed" ? "failed" : "cancelled";
  if (begun.type === "run.queued") return "queued";
  return pending > 0 ? "waiting" : "running";
}

function messageOf(end: Ended | undefined, questions: OperationState["questions"]): string {
  if (end?.type === "run.completed") return end.result.description ?? "Operation complete.";
  if (end?.type === "run.failed") return runFailed(end.error);
  if (end) return "Cancelled.";
  const pending = questions.filter(({ status }) => status === "pending").length;
  return pending > 0 ? `Waiting for ${pending} ${pending === 1 ? "answer" : "answers"}.` : "";
}
