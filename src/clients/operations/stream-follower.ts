import type { Clock } from "../../core/clock.ts";
import type { SocketConstructor } from "../web-socket.ts";
import { BackOff, type ReconnectOptions } from "./back-off.ts";
import type { Inbox } from "./inbox.ts";
import { isPassing, OperationsError } from "./operations-error.ts";
import { inAddress, type Place } from "./place.ts";
import type { MessagePage, Said } from "./protocol.ts";
import type { CallOptions } from "./rest-link.ts";
import type { SignIn } from "./sign-in.ts";
import { SocketConnection } from "./socket-connection.ts";
import type { StreamAnswers } from "./stream-answers.ts";
import type { StateChange } from "./stream-events.ts";
import { type Ending, StreamReception } from "./stream-reception.ts";

export interface FollowOptions {
  reconnect?: ReconnectOptions;
  /** After so long without a message it is asked whether there should have been one. 30 s. */
  silenceMs?: number;
  /** How long a connection may take to be accepted; 10 s. */
  openMs?: number;
  /** What the server leaves out for a slow client is read from history, before what comes after it. */
  recover?: boolean;
  /** Messages over 1 KB come compressed: less to carry, and more work for both sides. */
  compress?: boolean;
}

export interface FollowSurroundings {
  operationId: string;
  clock: Clock;
  signIn: SignIn;
  /** The address of the sockets, without its query. */
  socketUrl: URL;
  socket(): Promise<SocketConstructor>;
  /** The history of the operation. */
  messages(place: Place, limit: number, options: CallOptions): Promise<MessagePage>;
}

interface FollowerOptions extends FollowOptions, FollowSurroundings {
  inbox: Inbox;
  answers: StreamAnswers;
  onState(change: StateChange): void;
}

const OPEN_MS = 10_000;
/** A connection that lasted so long was a good one, whatever it brought. */
const GOOD_MS = 10_000;
/** What the server is told when this side closes. */
const farewells = { complete: "", full: "Reading on later", broken: "Timeout waiting for messages" } as const;

/** Connects, and connects again, until the operation is complete or it is certain that it cannot be. */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #backOff: BackOff;
  readonly #stopped = new AbortController();
  #connection: SocketConnection | undefined;
  #leave: (ending: Ending) => void = () => {};
  #endReception = () => {};
  /** The sign-in was renewed, and no connection has been a good one since. */
  #renewed = false;
  #sessionId: string | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#backOff = new BackOff(options.reconnect ?? {}, options.clock);
  }

  /** Resolves when the operation is complete, or it was stopped; fails with what does not pass. */
  async follow(): Promise<void> {
    this.#options.onState({ state: "connecting" });
    while (!this.#isStopped) {
      const ending = await this.#connect();
      if (ending.how === "complete" || this.#isStopped) return;
      if (ending.how === "full") await this.#pause();
      else await this.#waitOut(ending);
    }
  }

  /** False where there is no connection to say it over. */
  send(said: Said): boolean {
    return this.#connection?.send(said) ?? false;
  }

  stop(): void {
    this.#stopped.abort();
    this.#leave({ how: "complete" });
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** One connection, until it is over. */
  async #connect(): Promise<Ending> {
    const { signIn, socket } = this.#options;
    try {
      const [Socket, sessionId] = await Promise.all([socket(), signIn.current()]);
      this.#sessionId = sessionId;
      if (this.#isStopped) return { how: "complete" };
      return await this.#receive(Socket, sessionId);
    } catch (error) {
      if (error instanceof OperationsError) return { how: "broken", error, wasOpen: true };
      throw error;
    }
  }

  async #receive(Socket: SocketConstructor, sessionId: string): Promise<Ending> {
    const { clock, openMs = OPEN_MS, inbox, answers, onState } = this.#options;
    const url = this.#address(sessionId);
    const stopped = this.#stopped.signal;
    let openedAt = Number.POSITIVE_INFINITY;
    const ending = await new Promise<Ending>((resolve) => {
      const leave = (early: Ending) => {
        connection.close(farewells[early.how], early.how === "broken" ? "at once" : "politely");
        resolve(early);
      };
      const onProgress = () => this.#isGood();
      const reception = new StreamReception({ ...this.#options, stopped, onProgress, leave });
      const connection = new SocketConnection({
        ...{ Socket, url, clock, openMs },
        opened: () => {
          openedAt = clock.now();
          reception.begin();
          onState({ state: "open" });
        },
        said: (value) => reception.hear(value),
        ended: (error) => resolve({ how: "broken", error: reception.explain(error), wasOpen: connection.wasOpen }),
      });
      this.#connection = connection;
      this.#leave = leave;
      this.#endReception = () => reception.end();
    });
    this.#endReception();
    this.#connection = undefined;
    this.#leave = () => {};
    answers.lost();
    inbox.startAgain();
    if (clock.now() - openedAt >= GOOD_MS) this.#isGood();
    return ending;
  }

  #isGood(): void {
    this.#backOff.succeeded();
    this.#renewed = false;
  }

  #address(sessionId: string): string {
    const { socketUrl, operationId, inbox, compress } = this.#options;
    const url = new URL(socketUrl);
    url.searchParams.set("operation_id", operationId);
    url.searchParams.set("session_id", sessionId);
    for (const [name, value] of Object.entries(inAddress(inbox.place))) url.searchParams.set(name, String(value));
    if (compress) url.searchParams.set("compress", "1");
    return url.href;
  }

  async #pause(): Promise<void> {
    this.#options.onState({ state: "paused" });
    await unlessAborted(this.#options.inbox.room(), this.#stopped.signal);
    if (!this.#isStopped) this.#options.onState({ state: "reconnecting" });
  }

  /** Waits for the next attempt, or fails where there is none. */
  async #waitOut(ending: Extract<Ending, { how: "broken" }>): Promise<void> {
    const error = await this.#judge(ending);
    if (!error || this.#isStopped) return;
    const next = this.#backOff.next(error.retryAfterMs);
    if (!next) throw error;
    this.#options.onState({ state: "reconnecting", ...next, error });
    await this.#wait(next.inMs);
  }

  /** What is to be waited out; nothing where it can go on at once. Throws what does not pass. */
  async #judge({ error, wasOpen }: Extract<Ending, { how: "broken" }>): Promise<OperationsError | undefined> {
    if (error.status === 401) return this.#renew(error);
    if (!isPassing(error)) throw error;
    return wasOpen ? error : ((await this.#askWhy()) ?? error);
  }

  async #renew(error: OperationsError): Promise<OperationsError | undefined> {
    if (this.#renewed) throw error;
    try {
      await this.#options.signIn.renew(this.#sessionId);
    } catch (failure) {
      if (failure instanceof OperationsError && isPassing(failure)) return failure;
      throw failure;
    }
    this.#renewed = true;
    return undefined;
  }

  /** A browser does not see with what status a socket was refused, but it does of a call. Gives what passes, throws what does not. */
  async #askWhy(): Promise<OperationsError | undefined> {
    const { messages, inbox } = this.#options;
    try {
      await messages(inbox.place, 1, { signal: this.#stopped.signal });
    } catch (error) {
      if (error instanceof OperationsError && isPassing(error)) return error;
      if (!this.#isStopped) throw error;
    }
    return undefined;
  }

  /** Or until it is stopped, or the machine has a network again. */
  #wait(ms: number): Promise<void> {
    const { signal } = this.#stopped;
    const around = globalThis as Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">>;
    return new Promise((resolve) => {
      const end = () => {
        callOff();
        signal.removeEventListener("abort", end);
        around.removeEventListener?.("online", end);
        resolve();
      };
      const callOff = this.#options.clock.after(ms, end);
      signal.addEventListener("abort", end);
      around.addEventListener?.("online", end);
    });
  }
}

/** Waits until it is there, or nobody waits any more. A reader may pause any number of times: nothing of a pause stays. */
function unlessAborted(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    awaited.then(end, reject);
  });
}
