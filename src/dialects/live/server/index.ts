import { systemClock } from "../../../core/clock.ts";
import { asDragomanError, type DragomanError } from "../../../core/errors.ts";
import { randomId } from "../../../core/ids.ts";
import type { Caller } from "../../../core/roles.ts";
import { type ErrorData, errorData, sessionErrorData } from "../errors.ts";
import { type ClientMessage, parseMessage } from "../parse.ts";
import { aboutOf } from "./about-of.ts";
import { CreditGate } from "./credit.ts";
import type { CallType, Desk, Handlers } from "./desk.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { handlersOf } from "./handlers.ts";
import { Heartbeats } from "./heartbeats.ts";
import { Inflow } from "./inflow.ts";
import { silent, tooFast, WAITING_FOR_CREDIT, withoutAck, withoutGrant } from "./late-client.ts";
import { demandFor, mayApprove } from "./permitted.ts";
import type { LiveLink, Services } from "./services.ts";
import { Sessions } from "./sessions.ts";
import { type About, Speaker } from "./speaker.ts";
import { Turns } from "./turns.ts";
import { Unacknowledged } from "./unacknowledged.ts";

export type { LiveLink, Node, Services } from "./services.ts";

export interface LiveServerOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  link: LiveLink;
  /** A pipe says itself when its other end is gone; of a socket that is silent for too long it is believed. */
  over: "pipe" | "socket";
  /** Ends the connection once what was sent has left. */
  close(): void;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** A session's log could not be read. */
  onError(error: unknown): void;
}

/** These are what a connection works by: they wait for nothing. */
const atOnce = new Set<CallType>([
  ...(["auth", "flow_control", "ack", "heartbeat", "error"] as const),
  ...(["status_update", "tool_execution_status", "backpressure_alert"] as const),
]);

/** With more than this unsent, a heartbeat would tell nobody anything. */
const MOST_UNSENT_TO_BEAT = 100;

/** A node's side of one connection in the `live` dialect. */
export class LiveServer {
  readonly #options: LiveServerOptions;
  readonly #desk: Desk;
  readonly #handlers: Handlers;
  readonly #heartbeats: Heartbeats;
  readonly #turns = new Turns();
  readonly #underWay = new Set<Promise<void>>();
  #stopping = false;
  #ended = false;

  constructor(options: LiveServerOptions) {
    this.#options = options;
    this.#desk = this.#newDesk();
    this.#handlers = handlersOf(this.#desk);
    const { services, over } = options;
    this.#heartbeats = new Heartbeats({
      clock: services.clock ?? systemClock,
      beat: () => this.#beat(),
      isHolding: () => this.#desk.inflow.isHolding,
      onSilence: over === "socket" ? () => this.#tell(silent(), this.#current()) : undefined,
    });
  }

  /** Tells this connection from others, also in the log of sessions. */
  get connection(): string {
    return this.#desk.connection;
  }

  /** A message came, or what was to be one. */
  receive(value: unknown, bytes: number): void {
    if (this.#ended) return;
    this.#heartbeats.heard();
    this.#desk.inflow.count();
    const about = aboutOf(value);
    try {
      const message = parseMessage(value);
      demandFor(message.type, this.#options.caller);
      if (atOnce.has(message.type)) {
        this.#handle(message);
        this.#acknowledge(message);
      } else this.#inTurn(message, bytes);
    } catch (error) {
      this.#fail(error, about);
    }
  }

  /** What came could not even be read. */
  refuse(error: unknown): void {
    if (this.#ended) return;
    this.#heartbeats.heard();
    this.#desk.inflow.count();
    this.#fail(error, {});
  }

  /** To be called when something that was sent has left. */
  pump(): void {
    this.#desk.followed.pump();
  }

  /** The client sends no more: it answers and grants nothing, and may still listen. */
  detach(): void {
    const { followed, credit, unacknowledged } = this.#desk;
    followed.detach();
    unacknowledged.close();
    this.#heartbeats.stopListening();
    credit.lift();
    if (this.#options.over === "socket") this.#beat(); // it fails where nobody reads, either
    followed.pump();
  }

  /** This process is about to end. */
  stopping(): void {
    if (this.#stopping || this.#ended) return;
    this.#stopping = true;
    this.#desk.speaker.say("interrupt", { reason: "server_stopping" }, this.#current());
  }

  /** Resolves when everything that came has been dealt with. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Resolves when the runs that this client began have ended, as far as it follows them, and it was told so. */
  async runsEnded(): Promise<void> {
    const { followed, connection } = this.#desk;
    for (;;) {
      const next = followed.nextEnd(); // asked for first: it may come while we look
      if (this.#ended || !(await followed.hasRunOf(connection))) return;
      await next;
    }
  }

  async caughtUp(): Promise<boolean> {
    return this.#ended || this.#desk.followed.caughtUp();
  }

  close(): void {
    this.#ended = true;
    this.#heartbeats.close();
    const { followed, credit, unacknowledged, inflow } = this.#desk;
    followed.close();
    credit.close();
    unacknowledged.close();
    inflow.close();
  }

  #newDesk(): Desk {
    const { services, caller, link, over } = this.#options;
    const { clock = systemClock } = services;
    const send = (json: string) => link.send(json);
    const credit = new CreditGate({
      clock,
      send,
      isHolding: () => inflow.isHolding,
      onWaiting: (pending) => {
        const data = { pending, available_capacity: 0, message: WAITING_FOR_CREDIT };
        speaker.say("backpressure_alert", data, this.#current());
      },
      onTimeout: () => this.#tell(withoutGrant(over), this.#current()),
    });
    const speaker = new Speaker({ clock, link, credit });
    const isSending = () => link.unsent.messages > 0;
    const unacknowledged = new Unacknowledged({
      ...{ clock, send, isSending, isHolding: () => inflow.isHolding },
      onLost: ({ sessionId, seq }) => this.#tell(withoutAck(over, sessionId, seq), { sessionId }),
    });
    const sessions = new Sessions(services, caller);
    const inflow = new Inflow({
      clock,
      hold: () => link.hold(),
      onRelease: () => this.#heartbeats.heard(),
      onTooFast: () => this.#tell(tooFast(), {}),
    });
    const followed = new FollowedSessions({
      ...{ clock, sessions, link, credit, speaker, unacknowledged, mayApprove: mayApprove(caller) },
      onError: (error, sessionId) => this.#lostSession(error, sessionId),
    });
    return { caller, connection: randomId(), link, sessions, followed, speaker, credit, unacknowledged, inflow };
  }

  #inTurn(message: ClientMessage, bytes: number): void {
    const done = this.#desk.inflow.begin(bytes);
    const work = this.#turns
      .pass(message, () => (this.#ended ? undefined : this.#handle(message)))
      .then(
        () => this.#acknowledge(message),
        (error) => this.#fail(error, { sessionId: message.session_id, correlationId: message.correlation_id }),
      )
      .finally(() => {
        this.#underWay.delete(work);
        done();
      });
    this.#underWay.add(work);
  }

  #handle(message: ClientMessage): void | Promise<void> {
    const handler = this.#handlers[message.type] as (message: ClientMessage) => void | Promise<void>;
    return handler(message);
  }

  #acknowledge({ type, ack_required, session_id, correlation_id, seq }: ClientMessage): void {
    if (!ack_required || type === "ack" || this.#ended) return;
    const { speaker, followed } = this.#desk;
    speaker.say("ack", { seq }, { sessionId: session_id ?? followed.current, correlationId: correlation_id });
  }

  #fail(error: unknown, about: About): void {
    const known = asDragomanError(error);
    if (known.code === "internal") this.#options.onFault(known);
    this.#tell(about.sessionId === undefined ? errorData(known) : sessionErrorData(known), about);
  }

  #tell(data: ErrorData, about: About): void {
    if (this.#ended) return;
    this.#desk.speaker.say("error", data, about);
    if (data.severity !== "fatal") return;
    this.close();
    this.#options.close();
  }

  #lostSession(error: unknown, sessionId: string): void {
    const known = asDragomanError(error, "store_failed");
    if (known.code !== "session_not_found") this.#options.onError(known);
    this.#tell(sessionErrorData(known), { sessionId });
  }

  #current(): About {
    return { sessionId: this.#desk.followed.current };
  }

  #beat(): void {
    if (this.#options.link.unsent.messages >= MOST_UNSENT_TO_BEAT) return;
    this.#desk.speaker.say("heartbeat", {}, this.#current());
  }
}
