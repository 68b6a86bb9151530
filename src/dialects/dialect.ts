import type * as z from "zod";
import type { ErrorCode } from "../core/errors.ts";
import { runIdOf } from "../core/event-facts.ts";
import type { Event, EventOf, EventType } from "../core/events.ts";

/**
 * One row per method: what it takes and what it gives; without `result` it is a notification. Params that are left out count
 * as `{}`.
 */
export interface Call {
  params: z.ZodType;
  result?: z.ZodType;
}
export type CallTable = Record<string, Call>;

/** Every core event is named, or the dialect does not compile. */
export type Handlers<State, Message> = { [T in EventType]: (state: State, event: EventOf<T>) => Message[] };

/** Events that were pruned before they were read, the first and the last of them. */
export interface Gap {
  from: number;
  to: number;
  /** When the next event came that is there. */
  at: number;
}

/** What a dialect is made of. The state is one run's: it starts empty at `run.started`, so that a resume folds from there. */
export interface Definition<Profile, State, Message, Calls extends CallTable, WireError> {
  name: string;
  /** What a client may call. A method that is not in the table does not exist. */
  calls: Calls;
  /** What we may call at the client. */
  requests?: CallTable;
  /** The closed set of capabilities negotiated at the handshake; `{}` gives those of a client that named none. */
  profile: z.ZodType<Profile>;
  /** Every message the fold can make. */
  message: z.ZodType<Message>;
  start(profile: Profile, sessionId: string): State;
  events: Handlers<State, Message>;
  /**
   * What the run under way has said and was not told, because more may come. It is told before something that is of no run or of
   * another one, so that whoever has a message has all that was said before its event.
   */
  untold?(state: State, at: { runId: string; seq: number }): Message[];
  errors: Record<ErrorCode, WireError>;
  /** Whether a client that fell behind can do without it: thinking, and nothing else. */
  skippable(message: Message): boolean;
  /** Tells a client what was left out. It is of the connection, so it has no number. */
  lost(messages: [Message, ...Message[]]): Message;
  /** Tells a client that events are gone which it has not had. It is of the connection, too. */
  gap(gap: Gap, sessionId: string): Message;
  /**
   * The ask that a message puts to the client as a request of its own. It has no number, is put again to a client that comes back
   * while the ask is open, and never after that.
   */
  askOf?(message: Message): string | undefined;
  /** Large results come whole, not as the artifacts in which the log keeps them. */
  wholeResults?: boolean;
  /** The payload as JSON, where the dialect can say it faster than `JSON.stringify`. */
  serialise?(message: Message): string;
  /** The name of the message where the wire has one outside of the payload (SSE), and the payload. */
  envelope?(message: Message): { event: string; payload: unknown };
}

/** A message ready for a wire. */
export interface Frame {
  /** The payload as JSON. */
  text: string;
  event?: string;
  skippable: boolean;
  ask?: string;
  message: unknown;
}

/** The k-th message that the event `seq` gave. The pair is the same in every replay; what the connection itself says has none. */
export interface NumberedFrame extends Frame {
  seq: number;
  k: number;
}

export interface Fold {
  push(event: Event): NumberedFrame[];
  /** The notice that these frames were left out. */
  lost(frames: [Frame, ...Frame[]]): Frame;
  /** The notice that events are gone. What comes after them is folded as if it were the beginning. */
  gap(gap: Gap): Frame;
}

export interface Dialect<Calls extends CallTable = CallTable, WireError = unknown> {
  readonly name: string;
  readonly calls: Calls;
  readonly requests: CallTable;
  readonly errors: Record<ErrorCode, WireError>;
  readonly message: z.ZodType;
  /** Checks a profile as it comes from a handshake. */
  readonly profile: z.ZodType;
  readonly wholeResults: boolean;
  fold(sessionId: string, profile?: unknown): Fold;
}

export function dialect<Profile, State, Message, Calls extends CallTable, WireError>(
  definition: Definition<Profile, State, Message, Calls, WireError>,
): Dialect<Calls, WireError> {
  const { name, calls, requests = {}, errors, message, profile, wholeResults = false } = definition;
  return {
    name,
    calls,
    requests,
    errors,
    message,
    profile,
    wholeResults,
    fold: (sessionId, given = {}) => openFold(definition, profile.parse(given), sessionId),
  };
}

function openFold<Profile, State, Message, Calls extends CallTable, WireError>(
  definition: Definition<Profile, State, Message, Calls, WireError>,
  profile: Profile,
  sessionId: string,
): Fold {
  const fresh = () => definition.start(profile, sessionId);
  const handlers = definition.events as Record<EventType, (state: State, event: Event) => Message[]>;
  let runId: string | undefined;
  let state = fresh();

  /** Another run than the one under way (one that waited in the queue and was cancelled there) has a state of its own. */
  const stateFor = (event: Event): State => {
    const of = runIdOf(event);
    if (event.type === "run.started") {
      runId = of;
      state = fresh();
    }
    return of === undefined || of === runId ? state : fresh();
  };

  const { envelope, skippable, askOf, serialise = JSON.stringify as (message: Message) => string } = definition;
  const frameOf = (message: Message, seq: number, k: number): NumberedFrame => {
    const wrapped = envelope?.(message);
    return {
      seq,
      k,
      text: wrapped ? JSON.stringify(wrapped.payload) : serialise(message),
      event: wrapped?.event,
      skippable: skippable(message),
      ask: askOf?.(message),
      message,
    };
  };
  const untold = (runId: string, seq: number) => definition.untold?.(state, { runId, seq }) ?? [];
  const noticeOf = (message: Message): Frame => {
    const { seq, k, ...notice } = frameOf(message, 0, 0);
    return notice;
  };

  return {
    push: (event) => {
      const said = handlers[event.type](stateFor(event), event);
      if (said.length === 0) return NOTHING;
      const messages = runId === undefined || runIdOf(event) === runId ? said : [...untold(runId, event.seq), ...said];
      const [first] = messages as [Message, ...Message[]];
      if (messages.length === 1) return [frameOf(first, event.seq, 0)]; // as nearly always
      return messages.map((message, k) => frameOf(message, event.seq, k));
    },
    lost: (frames) => noticeOf(definition.lost(frames.map((frame) => frame.message) as [Message, ...Message[]])),
    gap: (gap) => {
      runId = undefined;
      state = fresh();
      return noticeOf(definition.gap(gap, sessionId));
    },
  };
}

const NOTHING = Object.freeze([]) as unknown as NumberedFrame[];

/** For events of which a dialect says nothing. */
export const silent = (): never[] => [];
