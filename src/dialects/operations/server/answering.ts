import { LONGEST_OWN_WORDS } from "../../../core/asks.ts";
import { DragomanError } from "../../../core/errors.ts";
import type { EventOf, Origin } from "../../../core/events.ts";
import { findLast } from "../../../core/landmarks.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Store } from "../../../core/store.ts";
import { shownName } from "../../question.ts";
import type { Found } from "./found-operations.ts";
import { givenAnswer } from "./given-answer.ts";

type Ask = EventOf<"ask.opened">;

interface Given {
  askId: string;
  answer: unknown;
}

/** Answers questions of runs. The first answer counts; who gave it may give it again, having missed what came of it. */
export class Answering {
  readonly #store: Store;
  /** Of each question the latest answer that is under way: the next one waits until it is known whether that counts. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Tells how many questions the run has left. A late one is told who was faster. */
  async answer(session: SessionHandle, found: Found, given: Given, by: Origin): Promise<number> {
    const key = `${found.sessionId} ${given.askId}`;
    const answering = (this.#underWay.get(key) ?? Promise.resolve()).then(() => this.#give(session, found, given, by));
    const ended = answering.catch(() => {});
    this.#underWay.set(key, ended);
    try {
      await answering;
    } finally {
      if (this.#underWay.get(key) === ended) this.#underWay.delete(key);
    }
    const { asks = [] } = (await this.#store.session(found.sessionId)) ?? {};
    return asks.filter((other) => other.runId === found.operationId && other.kind !== "tool").length;
  }

  async #give(session: SessionHandle, found: Found, { askId, answer }: Given, by: Origin): Promise<void> {
    const { operationId, sessionId } = found;
    const { asks = [] } = (await this.#store.session(sessionId)) ?? {};
    const open = asks.find((ask) => ask.askId === askId && ask.runId === operationId);
    const [event] = open ? await this.#store.read(sessionId, { after: open.seq - 1, limit: 1 }) : [];
    const ask = event?.type === "ask.opened" ? event : await this.#closedAsk(found, askId);
    const given: unknown = open ? givenAnswer(ask, answer) : {};
    await this.#checkLength(found, given);
    try {
      await session.answer(askId, given, by);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "ask_closed") throw error;
      if (!(await this.#hasCounted(sessionId, ask, answer, by))) throw toldLate(error);
    }
  }

  /** One that is closed: core says so. */
  async #closedAsk({ sessionId, operationId }: Found, askId: string): Promise<Ask> {
    const isMeant = (event: Ask) => event.askId === askId && event.runId === operationId;
    const ask = await findLast(this.#store, sessionId, "ask.opened", isMeant);
    if (ask) return ask;
    const advice = "GET /api/v1/operations/{id} names its questions.";
    throw new DragomanError("ask_not_found", `There is no such question in this operation. ${advice}`);
  }

  /** What an operation asks for in words becomes a line of a document: what is longer is refused before the log has it. */
  async #checkLength({ sessionId, seq }: Found, given: unknown): Promise<void> {
    if (wordsIn(given).length <= LONGEST_OWN_WORDS) return;
    const [run] = await this.#store.read(sessionId, { after: seq - 1, limit: 1 });
    if (!run || !("kind" in run) || run.kind !== "operation") return;
    const message = `An answer has at most ${LONGEST_OWN_WORDS} characters. Say it shorter; the rest belongs into the document.`;
    throw new DragomanError("too_large", message, { most: LONGEST_OWN_WORDS });
  }

  /** Whether it was this answer, by the same one, that the question was closed with. Of a secret one nobody knows. */
  async #hasCounted(sessionId: string, ask: Ask, answer: unknown, by: Origin): Promise<boolean> {
    const closed = await findLast(this.#store, sessionId, "ask.closed", ({ askId }) => askId === ask.askId);
    if (closed?.outcome !== "answered" || closed.answer === undefined || !isSamePerson(closed.by, by)) return false;
    try {
      return JSON.stringify(closed.answer) === JSON.stringify(givenAnswer(ask, answer));
    } catch {
      return false; // it is no answer to that question
    }
  }
}

/** Of an answer in core's form: those of a text, also in the place of a choice, or the reason of a yes or a no. */
function wordsIn(given: unknown): string {
  const { value, text, reason } = given as { value?: string | null; text?: string; reason?: string };
  return value ?? text ?? reason ?? "";
}

const isSamePerson = (one: Origin | undefined, other: Origin) =>
  one?.dialect === other.dialect && one.client === other.client && one.user === other.user;

/** In the wire's casing, and with a name that may be shown. */
function toldLate({ data }: DragomanError): DragomanError {
  const { askId, outcome = "closed", by } = (data ?? {}) as { askId?: string; outcome?: string; by?: Origin };
  const who = by && shownName(by);
  const message = `The question was already ${outcome}${who === undefined ? "" : ` by ${who}`}.`;
  return new DragomanError("ask_closed", message, { ask_id: askId, outcome, ...(who !== undefined && { by: who }) });
}
