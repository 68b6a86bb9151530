import * as z from "zod";
import type { Clock } from "./clock.ts";
import type { Answer, AskReply, PickAnswer } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import { nameOf } from "./event-facts.ts";
import {
  type AskKind,
  type EventOf,
  type NewEvent,
  type NewEventOf,
  type Origin,
  OWN_WORDS_ITEM,
  type Question,
} from "./events.ts";
import type { NewId } from "./ids.ts";

const DEFAULT_ASK_MS = 60 * 60 * 1000;
/** So that every wire can write the date. */
const LONGEST_ASK_MS = 365 * 24 * 60 * 60 * 1000;
/** Of what is said in one's own words in the place of a choice. */
export const LONGEST_OWN_WORDS = 2000;

export const answerSchemas: Record<AskKind, z.ZodType<Answer>> = {
  confirm: z.object({ ok: z.boolean(), remember: z.boolean().optional(), reason: z.string().optional() }),
  prompt: z.object({ value: z.string().nullable() }),
  pick: z.object({ ids: z.array(z.string()), text: z.string().trim().optional() }),
  tool: z.object({
    success: z.boolean(),
    denied: z.boolean().optional(),
    result: z.unknown().optional(),
    error: z.string().optional(),
    userMessage: z.string().optional(),
  }),
};

interface OpenAsk {
  opened: NewEventOf<"ask.opened">;
  reply(reply: AskReply): void;
  calledOff(): void;
}

interface Closed {
  outcome: NewEventOf<"ask.closed">["outcome"];
  by?: Origin;
}

/** How many closed asks a session remembers, to tell a late answer who was faster. */
const REMEMBERED = 200;
const MOST_OPEN = 100;

interface Surroundings {
  clock: Clock;
  /** The time as the log has it. */
  now(): number;
  newId: NewId;
  record(event: NewEvent): unknown;
  /** Resolves when everything recorded so far is on disk. */
  durable(): Promise<void>;
  /** Called with the answer to a secret question, before anything that could contain it is recorded. */
  onSecret(secret: string): void;
}

/** The open questions of a session. Each is closed exactly once: answered, expired or withdrawn. */
export class Asks {
  readonly #around: Surroundings;
  readonly #open = new Map<string, OpenAsk>();
  readonly #closed = new Map<string, Closed>();
  /** Of asks that another process opened: what came, or will come, for whoever goes on with their run. */
  readonly #replies = new Map<string, Promise<AskReply>>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  open(runId: string, question: Question, wantedMs = DEFAULT_ASK_MS): Promise<AskReply> {
    const { now, newId, record } = this.#around;
    if (this.#open.size >= MOST_OPEN) {
      throw new DragomanError(
        "queue_full",
        `${MOST_OPEN} asks are open in this session, and none of them is answered.`,
      );
    }
    const timeoutMs = Math.min(wantedMs, LONGEST_ASK_MS);
    const askId = newId();
    const opened = { type: "ask.opened" as const, runId, askId, expiresAt: now() + timeoutMs, ...question };
    record(opened);
    return this.#await(opened, timeoutMs);
  }

  /** An ask that the log has open is open here, until the same time. It can be answered before anyone wants its reply. */
  reopen(opened: EventOf<"ask.opened">): void {
    const { askId, expiresAt } = opened;
    const left = expiresAt - this.#around.now();
    this.#replies.set(askId, this.#await(opened, left));
    if (left <= 0) void this.#expire(askId);
  }

  /** The reply to a reopened ask, whenever it came. */
  reply(askId: string): Promise<AskReply> {
    return this.#replies.get(askId) ?? Promise.reject(this.#late(askId));
  }

  /** The first valid answer wins. Resolves when it is on disk; only then does the engine get it. */
  async answer(askId: string, given: unknown, by: Origin): Promise<void> {
    const ask = this.#open.get(askId);
    if (!ask) throw this.#late(askId);
    if (this.#around.now() >= ask.opened.expiresAt) {
      await this.#expire(askId);
      throw this.#late(askId);
    }
    const answer = checkedAnswer(ask.opened, given);
    const { secret } = ask.opened;
    if (secret && "value" in answer && answer.value) this.#around.onSecret(answer.value);
    this.#close(ask, { outcome: "answered", by }, secret ? undefined : answer);
    await this.#replyWhenDurable(ask, { outcome: "answered", answer });
  }

  /** Closes what a run that ends leaves open. The record of it goes before the record of the run's end. */
  withdraw(runId: string): void {
    for (const ask of [...this.#open.values()]) {
      if (ask.opened.runId !== runId) continue;
      this.#close(ask, { outcome: "withdrawn" });
      ask.reply({ outcome: "withdrawn" });
    }
  }

  /** What a run leaves open stays so in the log, for whoever goes on with it; here it is forgotten. */
  leave(runId: string): void {
    for (const ask of [...this.#open.values()]) {
      if (ask.opened.runId !== runId) continue;
      ask.calledOff();
      this.#open.delete(ask.opened.askId);
      ask.reply({ outcome: "withdrawn" });
    }
  }

  #await(opened: NewEventOf<"ask.opened">, timeoutMs: number): Promise<AskReply> {
    const { askId } = opened;
    return new Promise((reply) => {
      const calledOff = this.#around.clock.after(timeoutMs, () => void this.#expire(askId));
      this.#open.set(askId, { opened, reply, calledOff });
    });
  }

  async #expire(askId: string): Promise<void> {
    const ask = this.#open.get(askId);
    if (!ask) return;
    this.#close(ask, { outcome: "expired" });
    await this.#replyWhenDurable(ask, { outcome: "expired" }).catch(() => {}); // a failing store has told the session
  }

  async #replyWhenDurable(ask: OpenAsk, reply: AskReply): Promise<void> {
    try {
      await this.#around.durable();
    } catch (error) {
      ask.reply({ outcome: "withdrawn" });
      throw error;
    }
    ask.reply(reply);
  }

  #close(ask: OpenAsk, closed: Closed, answer?: Answer): void {
    const { askId, runId } = ask.opened;
    this.#around.record({ type: "ask.closed", runId, askId, ...closed, answer }); // first: it may be too large to be kept
    ask.calledOff();
    this.#open.delete(askId);
    this.#closed.set(askId, closed);
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > REMEMBERED && oldest) this.#closed.delete(oldest);
  }

  #late(askId: string): DragomanError {
    const closed = this.#closed.get(askId);
    if (!closed) return new DragomanError("ask_not_found", `There is no ask ${askId} in this session.`);
    return askClosedError(askId, closed);
  }
}

/** What is noted in the place of an ask that was not opened. */
export function noOneToAsk(title: string): string {
  return `Denied, because no one is attached who could answer: ${title}`;
}

export function askClosedError(askId: string, { outcome, by }: Closed): DragomanError {
  const who = by ? ` by ${nameOf(by)}` : "";
  return new DragomanError("ask_closed", `The ask was already ${outcome}${who}.`, { askId, outcome, by });
}

function checkedAnswer(ask: NewEventOf<"ask.opened">, given: unknown): Answer {
  const parsed = answerSchemas[ask.kind].safeParse(given);
  if (!parsed.success) {
    throw new DragomanError("invalid_params", `Not an answer to a ${ask.kind}: ${z.prettifyError(parsed.error)}`);
  }
  if ("ids" in parsed.data) checkPicked(ask, parsed.data);
  return parsed.data;
}

function checkPicked(ask: NewEventOf<"ask.opened">, { ids, text }: PickAnswer): void {
  const { items = [], multi } = ask;
  const unknown = ids.filter((id) => !items.some((item) => item.id === id));
  if (unknown.length > 0) throw new DragomanError("invalid_params", `Not among the choices: ${unknown.join(", ")}.`);
  if (ids.length > 1 && !multi) throw new DragomanError("invalid_params", "Only one can be picked.");
  if (text !== undefined) checkOwnWords(ask, ids, text);
}

function checkOwnWords({ allowText }: Question, ids: string[], text: string): void {
  const refused = (message: string, data?: unknown) => new DragomanError("invalid_params", message, data);
  if (!allowText) throw refused("It is answered by a choice: it takes no text.");
  if (text === "") throw refused("The text is empty. Say it in your own words, or leave it out and pick.");
  if (text.length > LONGEST_OWN_WORDS) {
    const most = `A text has at most ${LONGEST_OWN_WORDS} characters`;
    throw refused(`${most}, and this one ${text.length}. Say it shorter.`, { most: LONGEST_OWN_WORDS });
  }
  if (ids.some((id) => id !== OWN_WORDS_ITEM)) {
    throw refused("Pick, or say it in your own words: both together are no answer.");
  }
}
