import type { Answer } from "../core/engine.ts";
import type { EventOf } from "../core/events.ts";
import { endOfRun, findLast } from "../core/landmarks.ts";
import type { Store } from "../core/store.ts";

/** An operation asks fewer. */
const MOST_ASKS = 100;

type Asked = Pick<EventOf<"ask.opened">, "kind" | "title" | "items" | "allowText">;

/** What was answered to a clarify that came to nothing, by the question: whoever answered need not do it again. */
export class EarlierAnswers {
  readonly #answers: Map<string, Answer>;

  constructor(answers: Map<string, Answer>) {
    this.#answers = answers;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** The answer to this question, once, as far as it still is one. */
  take(ask: Asked): Answer | undefined {
    const answer = this.#answers.get(keyOf(ask));
    this.#answers.delete(keyOf(ask));
    return answer && fits(answer, ask) ? answer : undefined;
  }
}

/** Those to the latest clarify of a session, if it was cancelled or failed. */
export async function earlierAnswers(store: Store, sessionId: string): Promise<EarlierAnswers> {
  const answers = new Map<string, Answer>();
  const started = await findLast(store, sessionId, "run.started", ({ input }) => input.action === "clarify");
  const end = started && (await endOfRun(store, sessionId, started.runId));
  if (!started || (end !== "cancelled" && end !== "failed")) return new EarlierAnswers(answers);
  const [opened, closed] = await Promise.all(
    (["ask.opened", "ask.closed"] as const).map((type) =>
      store.read(sessionId, { after: started.seq, limit: MOST_ASKS, type }),
    ),
  );
  for (const ask of opened ?? []) {
    if (ask.type !== "ask.opened" || ask.runId !== started.runId) continue;
    const end = closed?.find((event) => event.type === "ask.closed" && event.askId === ask.askId);
    const answer = end?.type === "ask.closed" && end.outcome === "answered" ? saidIn(end.answer) : undefined;
    if (answer) answers.set(keyOf(ask), answer);
  }
  return new EarlierAnswers(answers);
}

const keyOf = ({ kind, title }: Asked) => `${kind} ${title}`;

/** A yes is given to what is to be done now, and no answer is none. */
function saidIn(answer: unknown): Answer | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { ids, text, value } = answer as Record<string, unknown>;
  if (typeof value === "string" && value !== "") return { value };
  if (!Array.isArray(ids) || (ids.length === 0 && typeof text !== "string")) return undefined;
  return { ids: ids.map(String), ...(typeof text === "string" && { text }) };
}

function fits(answer: Answer, { items = [], allowText }: Asked): boolean {
  if (!("ids" in answer)) return true;
  const isThere = (id: string) => items.some((item) => item.id === id);
  return answer.ids.every(isThere) && (answer.text === undefined || allowText === true);
}
