import type * as z from "zod";
import { type Clock, systemClock } from "../../../core/clock.ts";
import type { EventOf, Origin } from "../../../core/events.ts";
import { findLatest } from "../../../core/landmarks.ts";
import { plainText } from "../../../core/plain-text.ts";
import { type Caller, may } from "../../../core/roles.ts";
import { isUnderWay } from "../../../core/summary.ts";
import type { DocumentName } from "../../../operations/documents.ts";
import type { OperationName } from "../../../operations/perform/request.ts";
import { listedEngines, modelsFor } from "../../engine-choice.ts";
import type { calls } from "../calls.ts";
import { Answering } from "./answering.ts";
import { Attendance } from "./attendance.ts";
import { FeatureDocuments, type SavedDocument } from "./feature-documents.ts";
import { type Found, FoundOperations } from "./found-operations.ts";
import { History, type Messages } from "./history.ts";
import { MessageCounts } from "./message-counts.ts";
import { type OperationState, operationState } from "./operation-state.ts";
import { checkReached, NOTHING, type Reached, reachedBy } from "./reached.ts";
import { demandFor } from "./roles.ts";
import type { Services } from "./services.ts";
import type { SessionState } from "./session-state.ts";
import { type Prompted, Sessions } from "./sessions.ts";
import { type Started, Starting } from "./starting.ts";
import { type Working, workingOf } from "./working-of.ts";

export type { Found } from "./found-operations.ts";
export type { Services } from "./services.ts";

type Calls = typeof calls;
type Params<Name extends keyof Calls> = z.output<Calls[Name]["params"]>;
type Result<Name extends keyof Calls & `${string} ${string}`> = z.input<Calls[Name]["result"]>;

/** Who calls, and the wire's own id of the call. */
export interface By {
  caller: Caller;
  requestId?: string | number;
}

/** Someone who watches an operation. */
export interface Watched extends Found {
  working: Working;
  leave(): void;
}

type OperationsServerOptions = Omit<Services, "clock"> & { clock?: Clock };

/** A node's side of the `operations` dialect, for all who call. Each call checks by itself what its caller may. */
export class OperationsServer {
  readonly #services: Services;
  readonly #found: FoundOperations;
  readonly #attendance: Attendance;
  readonly #starting: Starting;
  readonly #sessions: Sessions;
  readonly #answering: Answering;
  readonly #documents: FeatureDocuments;
  readonly #history: History;
  readonly #counts: MessageCounts;

  constructor(options: OperationsServerOptions) {
    const services: Services = { clock: systemClock, ...options };
    const { store } = services.runtime;
    this.#services = services;
    this.#found = new FoundOperations(store, services.workspace);
    this.#attendance = new Attendance(store, services.clock);
    this.#starting = new Starting(services, this.#attendance);
    this.#sessions = new Sessions(services, this.#attendance);
    this.#answering = new Answering(store);
    this.#documents = new FeatureDocuments(services);
    this.#history = new History(store);
    this.#counts = new MessageCounts(store);
  }

  async features({ limit }: Params<"GET /features">, { caller }: By): Promise<Result<"GET /features">> {
    demandFor("GET /features", caller);
    return { features: (await this.#documents.list(limit)).map((feature) => ({ ...feature })) };
  }

  async feature({ id }: Params<"GET /features/{id}">, by: By): Promise<Result<"GET /features/{id}">> {
    demandFor("GET /features/{id}", by.caller);
    const documents = await this.#documents.read(id);
    const [operation] = (await this.operations({ feature: id, limit: 1 }, by)).operations;
    const title = titleOf(documents.find(({ name }) => name === "spec")?.content ?? "");
    return {
      id,
      ...(title !== "" && { title }),
      documents: documents.map(({ name, path, etag, content }) => ({
        name,
        path,
        etag,
        bytes: Buffer.byteLength(content),
      })),
      ...(operation && { operation }),
    };
  }

  async createFeature(given: Params<"POST /features">, { caller }: By): Promise<SavedDocument & { id: string }> {
    demandFor("POST /features", caller);
    return { id: given.id, ...(await this.#documents.create(given, caller)) };
  }

  async document(feature: string, name: DocumentName, { caller }: By): Promise<Result<"GET /features/{id}/spec">> {
    demandFor(`GET /features/{id}/${name}`, caller);
    return { ...(await this.#documents.readOne(feature, name)) };
  }

  async saveDocument(
    feature: string,
    name: DocumentName,
    written: Parameters<FeatureDocuments["save"]>[2],
    { caller }: By,
  ): Promise<SavedDocument> {
    demandFor(`PUT /features/{id}/${name}`, caller);
    return this.#documents.save(feature, name, written, caller);
  }

  async start(action: OperationName, given: Params<"POST /features/{id}/plan">, by: By): Promise<Started> {
    demandFor(`POST /features/{id}/${action}`, by.caller);
    return this.#starting.start(action, given, by.caller, originOf(by));
  }

  engines({ caller }: By): Result<"GET /engines"> {
    demandFor("GET /engines", caller);
    return { engines: listedEngines(this.#services) };
  }

  async models(
    { id }: Params<"GET /engines/{id}/models">,
    { caller }: By,
  ): Promise<Result<"GET /engines/{id}/models">> {
    demandFor("GET /engines/{id}/models", caller);
    const { models, note, engine } = await modelsFor(this.#services.runtime, id, this.#services);
    const shown = models.map((one) => ({ id: one.id, name: one.name, context_window: one.contextWindow }));
    return { engine, models: shown, ...(note !== undefined && { note }) };
  }

  async sessions({ limit }: Params<"GET /sessions">, { caller }: By): Promise<Result<"GET /sessions">> {
    demandFor("GET /sessions", caller);
    return { sessions: await this.#sessions.list(limit, caller) };
  }

  async session({ id }: Params<"GET /sessions/{id}">, { caller }: By): Promise<SessionState> {
    demandFor("GET /sessions/{id}", caller);
    return this.#sessions.state(id, caller);
  }

  async createSession(wanted: Params<"POST /sessions">, by: By): Promise<SessionState> {
    demandFor("POST /sessions", by.caller);
    return this.#sessions.create(wanted, originOf(by));
  }

  async changeSession(wanted: Params<"PATCH /sessions/{id}">, { caller }: By): Promise<SessionState> {
    demandFor("PATCH /sessions/{id}", caller);
    return this.#sessions.change(wanted, caller);
  }

  async prompt(given: Params<"POST /sessions/{id}/prompt">, by: By): Promise<Prompted> {
    demandFor("POST /sessions/{id}/prompt", by.caller);
    return this.#sessions.prompt(given, by.caller, originOf(by));
  }

  async operation({ id }: Params<"GET /operations/{id}">, { caller }: By): Promise<OperationState> {
    demandFor("GET /operations/{id}", caller);
    const found = await this.#found.find(id, caller);
    (await this.#attend(found, caller))(); // who asks again and again is there as someone who watches is
    return operationState(this.#services.runtime.store, found);
  }

  /** Those of a feature, the latest first. */
  async operations({ feature, limit }: Params<"GET /operations">, { caller }: By): Promise<Result<"GET /operations">> {
    demandFor("GET /operations", caller);
    const { runtime, sessionOf } = this.#services;
    const sessionId = await sessionOf(feature);
    const summary = await runtime.store.session(sessionId);
    if (!summary) return { operations: [] };
    const fits = (run: EventOf<"run.started">) => run.kind === "operation"; // a person may have prompted in the session, too
    const operations: OperationState[] = [];
    for (const { runId, seq } of await findLatest(runtime.store, sessionId, "run.started", { fits, limit })) {
      operations.push(await operationState(runtime.store, { operationId: runId, sessionId, seq, summary }));
    }
    return { operations };
  }

  async messages(wanted: Params<"GET /operations/{id}/messages">, { caller }: By): Promise<Messages> {
    demandFor("GET /operations/{id}/messages", caller);
    const { id, after_log_seq, limit } = wanted;
    const found = await this.#found.find(id, caller);
    const after = reachedBy(wanted.after, after_log_seq) ?? NOTHING;
    checkReached(after, found);
    return this.#history.read(found, { after, limit });
  }

  async answer(given: Params<"POST /operations/{id}/answer">, by: By): Promise<Result<"POST /operations/{id}/answer">> {
    demandFor("POST /operations/{id}/answer", by.caller);
    const found = await this.#found.find(given.id, by.caller);
    const { runtime } = this.#services;
    const session = await runtime.open(found.sessionId);
    const answer = { askId: given.ask_id, answer: given.answer };
    const give = () => this.#answering.answer(session, found, answer, originOf(by));
    const pending = await this.#attendance.whileAnswering(session, found.operationId, give);
    return { ok: true, ask_id: given.ask_id, pending };
  }

  async cancel(
    { id, reason = "cancelled by the user" }: Params<"POST /operations/{id}/cancel">,
    by: By,
  ): Promise<Result<"POST /operations/{id}/cancel">> {
    demandFor("POST /operations/{id}/cancel", by.caller);
    const { sessionId } = await this.#found.find(id, by.caller);
    const session = await this.#services.runtime.open(sessionId);
    const { accepted, status } = await session.cancel(id, reason, originOf(by));
    return { ok: accepted, status };
  }

  /** Someone watches from now on. Whoever may approve counts as there to answer. */
  async watch(operationId: string, caller: Caller): Promise<Watched> {
    demandFor("GET /operations/{id}", caller);
    const found = await this.#found.find(operationId, caller);
    const working = await workingOf(this.#services.runtime.store, found);
    return { ...found, working, leave: await this.#attend(found, caller) };
  }

  /** The sequences of the last message that a client has and of the last that there is; nothing where finding out would take long. */
  async extent(found: Found, reached: Reached): Promise<{ received?: number; last?: number }> {
    checkReached(reached, found);
    const known = "sequence" in reached ? reached.sequence : await this.#counts.lastUntil(found, reached.logSeq);
    return { received: known, last: await this.#counts.last(found) };
  }

  /** Nobody is there any more: a run that waits for an answer goes on where another server takes it up. */
  close(): void {
    this.#attendance.close();
  }

  /** For a run that has ended nobody needs to be there. */
  async #attend({ operationId, sessionId, summary }: Found, caller: Caller): Promise<() => void> {
    const { run, queued } = summary;
    const isCurrent = run?.runId === operationId && isUnderWay(summary);
    if (!isCurrent && !queued.some(({ runId }) => runId === operationId)) return () => {};
    return this.#attendance.add(await this.#services.runtime.open(sessionId), may(caller, "approve"));
  }
}

/** The first heading, without what spec-kit puts before the name. */
function titleOf(spec: string): string {
  const heading = spec.split("\n", 200).find((line) => line.startsWith("# ")) ?? "";
  const text = plainText(heading.slice(2, 202));
  return text.replace(/^Feature Specification:/i, "").trim();
}

function originOf({ caller, requestId }: By): Origin {
  return { dialect: "operations", client: caller.name, ...(requestId !== undefined && { requestId }) };
}
