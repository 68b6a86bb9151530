import type { Clock } from "../../core/clock.ts";
import { Listeners } from "../ui/listeners.ts";
import { type ToolOptions, toolsData } from "./client-tools.ts";
import { LastingConnection, type LiveStatus, type ReconnectOptions, type StatusChange } from "./lasting-connection.ts";
import type { Connect } from "./link.ts";
import { errorOf, LiveError } from "./live-error.ts";
import { LiveSession, type SessionHost } from "./live-session.ts";
import { PendingRequests, type Request } from "./pending-requests.ts";
import type {
  Cursor,
  ListedEngine,
  ListedSession,
  LiveMessage,
  OfferedModels,
  Sent,
  SessionState,
} from "./protocol.ts";
import { Reattachment } from "./reattachment.ts";
import { attachMessage, type OpenOptions, startData } from "./session-start.ts";

export interface LiveOptions {
  /** So many messages the server may send before it hears from us again; 100. */
  credit?: number;
  /** So many messages wait for whoever iterates; then the server does. 1000. */
  buffer?: number;
  /** Of a request; 30 s. */
  timeoutMs?: number;
  /** `false`: a lost connection is the end. */
  reconnect?: ReconnectOptions | false;
  /** What the runtime that was started says on its stderr, a line at a time. */
  onLog?(line: string): void;
  clock?: Clock;
}

export interface AttachOptions extends ToolOptions {
  /** What came after this is told first; without it, what comes from now on. A `seq` of another protocol will do. */
  after?: number | Cursor;
}

interface ClientEvents {
  status: StatusChange;
  message: LiveMessage;
  fault: LiveError;
}

interface ClientOptions extends LiveOptions {
  connect: Connect;
  clock: Clock;
}

/** A client of the `live` protocol: any number of sessions over one connection, which is made again when it is lost. */
export class LiveClient {
  readonly #options: ClientOptions;
  readonly #connection: LastingConnection;
  readonly #requests: PendingRequests;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #reattachments = new Map<string, Reattachment>();
  readonly #listeners = new Listeners<ClientEvents>((kind, error) => {
    if (kind !== "fault") this.#fault(new LiveError("INVALID", `A listener threw: ${error}`));
  });

  /** @internal `connectLive` makes one. */
  constructor(options: ClientOptions) {
    this.#options = options;
    const { connect, clock, timeoutMs = 30_000, credit: window = 100, reconnect = {} } = options;
    this.#connection = new LastingConnection({
      connect,
      clock,
      reconnect,
      credit: { window, room: () => this.#room(), isFull: () => this.#some(({ inbox }) => inbox.isFull) },
      onStatus: (change) => this.#listeners.tell("status", change),
      onMessage: (message, size) => this.#take(message, size),
      onFault: (error) => this.#fault(error),
      onLog: (line) => options.onLog?.(line),
      onOpen: () => this.#attachAgain(),
      onLost: (error, forGood) => this.#lost(error, forGood),
    });
    const send = (sent: Sent) => this.#connection.send(sent);
    this.#requests = new PendingRequests({ clock, timeoutMs, send, isReady: (sent) => this.#isReady(sent) });
  }

  get status(): LiveStatus {
    return this.#connection.status;
  }

  /** @internal */
  start(): Promise<void> {
    return this.#connection.start();
  }

  sessions({ limit }: { limit?: number } = {}): Promise<ListedSession[]> {
    return this.#request({
      sent: { type: "session_list", data: { limit } },
      answer: (message) => (message.type === "session_list" ? message.data.sessions : undefined),
    });
  }

  /** What there is to do the work of a session. */
  engines(): Promise<ListedEngine[]> {
    return this.#request({
      sent: { type: "engine_list", data: {} },
      answer: (message) => (message.type === "engine_list" ? message.data.engines : undefined),
    });
  }

  /** Those of an engine; of new sessions, if none is named. */
  models({ engine }: { engine?: string } = {}): Promise<OfferedModels> {
    return this.#request({
      sent: { type: "model_list", data: { engine } },
      answer: (message) => (message.type === "model_list" ? message.data : undefined),
    });
  }

  /** A new session. */
  open(options: OpenOptions = {}): Promise<LiveSession> {
    return this.#request({
      sent: { type: "session_start", data: startData(options) },
      answer: (message) =>
        message.type === "session_start" ? this.#add(message.session_id, { ...options }) : undefined,
    });
  }

  async attach(sessionId: string, options: AttachOptions = {}): Promise<LiveSession> {
    const known = this.#sessions.get(sessionId);
    if (known && options.after === undefined && !options.tools) return known;
    if (known) throw new LiveError("INVALID", `Session ${sessionId} is attached already; leave it first`);
    const after = typeof options.after === "number" ? { seq: options.after } : options.after;
    return this.#request({
      sent: attachMessage(sessionId, after, toolsData(options)),
      answer: (message) => {
        if (message.type !== "session_state") return undefined;
        const session = this.#add(sessionId, { ...options, state: message.data, after });
        session.attached();
        return session;
      },
    });
  }

  onStatus(listener: (change: StatusChange) => void): () => void {
    return this.#listeners.on("status", listener);
  }

  /** What is of no session of this client: heartbeats, credit, alerts, acknowledgements, errors of the connection. */
  onMessage(listener: (message: LiveMessage) => void): () => void {
    return this.#listeners.on("message", listener);
  }

  /** Something went wrong that no promise tells of: a message that is none, an error about nothing that was asked, a listener that threw. */
  onFault(listener: (error: LiveError) => void): () => void {
    return this.#listeners.on("fault", listener);
  }

  /** Runs go on without it, but for those of a runtime that was started for it. Resolves when nothing is left of the connection. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  #request<T>(request: Request<T>): Promise<T> {
    if (this.status !== "closed") return this.#requests.request(request);
    return Promise.reject(new LiveError("CLOSED", "This client is closed; make a new one"));
  }

  #add(sessionId: string, beginning: ToolOptions & { state?: SessionState; after?: Cursor }): LiveSession {
    const { clock, buffer: limit = 1000 } = this.#options;
    const host: SessionHost = {
      clock,
      limit,
      newId: () => this.#requests.newId(),
      request: (request) => this.#request(request),
      onTaken: () => this.#connection.renewCredit(),
      onFault: (error) => this.#fault(error),
      forget: (error) => this.#forget(sessionId, error),
    };
    const session = new LiveSession(sessionId, host, beginning);
    this.#sessions.set(sessionId, session);
    return session;
  }

  #forget(sessionId: string, error: LiveError): void {
    this.#sessions.delete(sessionId);
    this.#reattachments.get(sessionId)?.stop();
    this.#reattachments.delete(sessionId);
    this.#requests.rejectAll(error, sessionId);
    this.#connection.renewCredit();
  }

  #take(message: LiveMessage, size: number): void {
    this.#requests.take(message); // first, for with its answer a session begins
    const session = isOfConnection(message) ? undefined : this.#sessions.get(message.session_id);
    if (session) session.take(message, size);
    else this.#listeners.tell("message", message);
    if (session) this.#reattachments.get(session.id)?.took(message);
    if (message.ack_required && message.seq !== undefined) this.#acknowledge(message.session_id, message.seq);
    if (message.type === "error") this.#takeError(message);
  }

  /** One of the log is the session's, and one about a request its answer. */
  #takeError({ seq, correlation_id, session_id, data }: Extract<LiveMessage, { type: "error" }>): void {
    if (seq !== undefined || correlation_id !== undefined) return;
    const error = errorOf(data);
    this.#fault(error);
    if (error.code === "SESSION_TIMEOUT") this.#sessions.get(session_id)?.close(error); // it is not there any more
  }

  #acknowledge(session_id: string, seq: number): void {
    if (!this.#connection.isOpen) return;
    try {
      this.#connection.send({ type: "ack", session_id, data: { seq } });
    } catch (error) {
      this.#fault(error as LiveError); // a server that does not read sends it again, and asks again
    }
  }

  #lost(error: LiveError, forGood: boolean): void {
    for (const reattachment of this.#reattachments.values()) reattachment.stop();
    if (!forGood) {
      for (const id of this.#sessions.keys()) this.#reattachments.set(id, this.#reattachmentOf(id));
      this.#requests.lost(error);
      return;
    }
    this.#requests.rejectAll(error);
    for (const session of [...this.#sessions.values()]) session.close(error);
  }

  #attachAgain(): void {
    for (const reattachment of [...this.#reattachments.values()]) reattachment.begin();
    this.#requests.sendWaiting();
  }

  #reattachmentOf(sessionId: string): Reattachment {
    const { clock } = this.#options;
    const requests = this.#requests;
    const session = this.#sessions.get(sessionId) as LiveSession;
    return new Reattachment({
      clock,
      session,
      requests,
      message: () => attachMessage(sessionId, session.cursor, session.toolsData),
      onAttached: () => requests.sendWaiting(),
      onDone: () => this.#reattachments.delete(sessionId),
    });
  }

  /** A request of a session waits until that is attached. */
  #isReady({ type, session_id }: Sent): boolean {
    if (!this.#connection.isOpen) return false;
    if (session_id === undefined || type === "session_start") return true;
    return this.#reattachments.get(session_id)?.isAttached ?? true;
  }

  #room(): number {
    let room = Number.POSITIVE_INFINITY;
    for (const { inbox } of this.#sessions.values()) room = Math.min(room, inbox.room ?? room);
    // Whoever waits for an answer inside of the loop would else wait for himself.
    if (room === 0 && this.#requests.size > 0 && !this.#some(({ inbox }) => inbox.isFull)) return 1;
    return room;
  }

  #some(holds: (session: LiveSession) => boolean): boolean {
    for (const session of this.#sessions.values()) if (holds(session)) return true;
    return false;
  }

  #fault(error: LiveError): void {
    this.#listeners.tell("fault", error);
  }
}

/** These are of no session, whichever they name; a state is the answer to who asked for it. */
const ofConnection: ReadonlySet<string> = new Set([
  "heartbeat",
  "flow_control",
  "backpressure_alert",
  "ack",
  "session_list",
  "engine_list",
  "model_list",
  "session_state",
]);

const isOfConnection = ({ type, seq }: LiveMessage) =>
  ofConnection.has(type) || (type === "error" && seq === undefined);
