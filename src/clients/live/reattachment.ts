import type { Clock } from "../../core/clock.ts";
import { Alarm } from "../operations/alarm.ts";
import type { LiveError } from "./live-error.ts";
import type { LiveSession } from "./live-session.ts";
import type { PendingRequests } from "./pending-requests.ts";
import type { LiveMessage, Sent } from "./protocol.ts";

const AGAIN_MS = 5000;
/** When nothing came of the session for so long, what is missing is not waited for. */
const QUIET_MS = 5000;

interface ReattachmentOptions {
  clock: Clock;
  session: LiveSession;
  requests: PendingRequests;
  /** The request by which the session is attached, from its cursor on. */
  message(): Sent;
  onAttached(): void;
  /** Everything that was said while the connection was lost has come. */
  onDone(): void;
}

/** Takes a session up again on another connection, and finds out from its log what became of what was sent over the old one. */
export class Reattachment {
  readonly #options: ReattachmentOptions;
  readonly #quiet: Alarm;
  #isAttached = false;
  #isStopped = false;
  /** The end of the log when it was attached. */
  #until = 0;
  #doubtful: ReadonlySet<string> = new Set();
  #callOff: (() => void) | undefined;

  constructor(options: ReattachmentOptions) {
    this.#options = options;
    this.#quiet = new Alarm(options.clock, QUIET_MS, () => this.#isQuiet());
  }

  get isAttached(): boolean {
    return this.#isAttached;
  }

  begin(): void {
    const { requests, message } = this.#options;
    const answer = (told: LiveMessage) => {
      if (told.type !== "session_state") return undefined;
      this.#attached(told);
      return true;
    };
    requests.request({ sent: message(), answer }).catch((error) => this.#failed(error));
  }

  stop(): void {
    this.#isStopped = true;
    this.#quiet.stop();
    this.#callOff?.();
  }

  /** A message of the session has come, and was handed on. */
  took(message: LiveMessage): void {
    if (!this.#isAttached) return;
    this.#quiet.touch();
    const gap = message.type === "status_update" && message.data.kind === "gap" ? message.data : undefined;
    const seq = gap?.to_seq ?? message.seq ?? 0;
    if (seq >= this.#until) this.#options.requests.notInLog(this.#takeDoubtful());
    // The messages of the last event may not all have come, unless there is a later one.
    if (seq > this.#until || (gap && seq === this.#until)) this.#done();
  }

  #attached({ data: state }: Extract<LiveMessage, { type: "session_state" }>): void {
    if (this.#isStopped) return;
    const { session, requests, onAttached } = this.#options;
    this.#isAttached = true;
    this.#until = state.last_seq;
    this.#doubtful = requests.doubtful(session.id);
    session.attached(state);
    onAttached();
    if (session.cursor.seq >= this.#until) requests.notInLog(this.#takeDoubtful());
    else this.#quiet.touch();
  }

  /** Of the last event nothing more comes, either. */
  #isQuiet(): void {
    const { requests, session } = this.#options;
    requests.unknown(this.#takeDoubtful());
    if (session.cursor.seq >= this.#until) this.#done();
  }

  #takeDoubtful(): ReadonlySet<string> {
    const doubtful = this.#doubtful;
    this.#doubtful = new Set();
    return doubtful;
  }

  #done(): void {
    this.stop();
    this.#options.session.caughtUp();
    this.#options.onDone();
  }

  #failed(error: LiveError): void {
    if (this.#isStopped) return;
    if (error.retriable) this.#callOff = this.#options.clock.after(AGAIN_MS, () => this.begin());
    else this.#options.session.close(error);
  }
}
