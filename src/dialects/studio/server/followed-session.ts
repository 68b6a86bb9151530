import type { DragomanError } from "../../../core/errors.ts";
import type { AskKind } from "../../../core/events.ts";
import { randomId } from "../../../core/ids.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import { Bell } from "../../bell.ts";
import type { Frame } from "../../dialect.ts";
import { Feed, type Sink } from "../../feed.ts";
import type { Listeners } from "../../listeners.ts";
import type { Views } from "../../views.ts";
import { studio } from "../index.ts";
import type { Message } from "../messages.ts";
import type { OpenRequests } from "./open-requests.ts";

/** What the host wants to be told, and which questions it can be asked. */
export interface Manner {
  streaming: boolean;
  asks: boolean;
  answers: AskKind[];
}

interface FollowedSessionOptions {
  views: Views;
  session: SessionHandle;
  manner: Manner;
  listeners?: Listeners;
  /** The last event that the host has, or does not want. */
  after: number;
  requests: OpenRequests;
  sink: Sink;
  /** The log cannot be read any more, or is gone. */
  onLost(error: unknown): void;
  /** The log cannot be written here any more. */
  onBroken(error: DragomanError): void;
}

/** A session that a host is told of. */
export class FollowedSession {
  readonly session: SessionHandle;
  readonly manner: Manner;
  /** By this the fold knows the requests that were made here, and those of an earlier time from these. */
  readonly stamp = randomId();
  /** The host said that it wants to follow it; otherwise it is here for its requests. */
  watched = false;
  hadRequests = false;
  /** Its log cannot be read any more, and the host knows that. */
  isLost = false;
  readonly #options: FollowedSessionOptions;
  readonly #detach: () => void;
  readonly #ignoreBroken: () => void;
  /** Rings when the host may have been told more. */
  readonly #bell = new Bell();
  #feed: Feed | undefined;
  #closed = false;

  constructor(options: FollowedSessionOptions) {
    const { session, manner, listeners } = options;
    this.#options = options;
    this.session = session;
    this.manner = manner;
    this.#detach = listeners ? listeners.add(session, manner.answers) : session.attach(manner.answers);
    this.#ignoreBroken = session.onBroken((error) => options.onBroken(error));
  }

  /** The last event of which the host was given all there is to say. */
  get seen(): number {
    return Math.max(this.#feed?.seen ?? 0, this.#options.after);
  }

  get follows(): boolean {
    return this.#feed !== undefined;
  }

  /** The host gets what there is from now on. */
  follow(): void {
    if (this.#closed) return;
    const { views, session, manner, after, sink, onLost } = this.#options;
    const { streaming, asks } = manner;
    this.#feed ??= new Feed({
      views,
      sessionId: session.id,
      dialect: studio,
      profile: { streaming, asks, connection: this.stamp },
      after: { seq: after },
      sink: {
        write: (frames) => sink.write(frames.filter((frame) => this.#isWanted(frame))),
        get unsent() {
          return sink.unsent;
        },
      },
      onError: onLost,
      onPause: () => this.#bell.ring(),
    });
  }

  pump(): void {
    this.#feed?.pump();
  }

  /** Resolves when the host was told all up to that event, or will be told nothing more. */
  async told(seq: number): Promise<void> {
    while (!this.#closed && this.seen < seq) await this.#bell.rung();
  }

  /** The host can answer nothing any more. */
  detach(): void {
    this.#detach();
  }

  close(): void {
    this.#closed = true;
    this.#detach();
    this.#ignoreBroken();
    this.#feed?.close();
    this.#bell.ring();
  }

  /** A response only for who waits for it. */
  #isWanted({ message }: Frame): boolean {
    const told = message as Message;
    return !("id" in told) || this.#options.requests.answer(told.id, this.stamp);
  }
}
