import { type EventOf, LEFT_OPEN_ITEM, OWN_WORDS_ITEM } from "../../../core/events.ts";
import { isoTime } from "../../iso-time.ts";
import { asksPerson, shownName, shownQuestion } from "../../question.ts";
import { shownValue } from "../shown-value.ts";
import type { OperationState } from "./operation-state.ts";
import { optionsOf } from "./question-options.ts";

export type Ended = EventOf<"run.completed" | "run.failed" | "run.cancelled">;
type Closed = EventOf<"ask.closed">;
export type QuestionState = OperationState["questions"][number];

interface Asked {
  end: Ended | undefined;
  opened: EventOf<"ask.opened">[];
  closed: Closed[];
  saved: boolean;
}

/** What a run asked people, and what became of it. They are named as in its messages. */
export function questionsOf({ end, opened, closed, saved }: Asked): QuestionState[] {
  const closes = new Map(closed.map((event) => [event.askId, event]));
  const isSaved = end?.type === "run.completed" && saved;
  const unplaced = isSaved ? unplacedIn(end.result.data) : new Set();
  return opened.filter(asksPerson).map((ask, index) => {
    const close = closes.get(ask.askId);
    const isApplied = isSaved && !unplaced.has(ask.title);
    const state = { ...questionState(ask, `Q${index + 1}`), ...outcome(ask, close, isApplied, end !== undefined) };
    return shownValue(state) as QuestionState;
  });
}

/** The questions of a clarify whose answers are recorded, and stand nowhere else, since the statement was changed meanwhile. */
function unplacedIn(data: unknown): Set<unknown> {
  const { questions } = (data ?? {}) as { questions?: unknown };
  const told: { question?: unknown; status?: unknown }[] = Array.isArray(questions) ? questions : [];
  return new Set(told.filter((one) => one?.status === "answered").map(({ question }) => question));
}

function questionState(ask: EventOf<"ask.opened">, name: string) {
  const question = shownQuestion(ask);
  const { kind, title, message, multi, allowText, secret, source } = question;
  return {
    ask_id: ask.askId,
    name,
    kind,
    question: title,
    ...(message && message !== title && { context: message }),
    options: optionsOf(question),
    ...(multi && { multi }),
    ...(allowText && { allow_text: allowText }),
    ...(secret && { secret }),
    ...(source && { source }),
    expires_at: isoTime(ask.expiresAt),
  };
}

function outcome(ask: EventOf<"ask.opened">, close: Closed | undefined, isApplied: boolean, isOver: boolean) {
  if (!close) return { status: isOver ? ("unanswered" as const) : ("pending" as const) };
  if (close.outcome !== "answered") return { status: "unanswered" as const };
  const answer = answerText(ask, close.answer);
  const said = whatWasSaid(close.answer);
  return {
    status: said === "nothing" ? ("unanswered" as const) : isApplied && said === "all" ? "applied" : "answered",
    ...(answer !== undefined && { answer }),
    ...(close.by && { answered_by: shownName(close.by) }),
  };
}

/** Whoever leaves a question open has answered nothing, and "something else" is followed by another question. */
function whatWasSaid(answer: unknown): "all" | "nothing" | "something else" {
  if (typeof answer !== "object" || answer === null) return "all"; // a secret
  if ("value" in answer) return answer.value === null ? "nothing" : "all";
  if (!("ids" in answer) || !Array.isArray(answer.ids) || "text" in answer) return "all";
  if (answer.ids.every((id) => id === LEFT_OPEN_ITEM)) return "nothing";
  return answer.ids.includes(OWN_WORDS_ITEM) ? "something else" : "all";
}

/** In words. Of a secret one the log has none. */
function answerText(ask: EventOf<"ask.opened">, answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const options = optionsOf(shownQuestion(ask));
  const label = (id: string) => options.find((option) => option.id === id)?.label ?? id;
  if ("ok" in answer) return label(answer.ok ? "yes" : "no");
  if ("value" in answer) return typeof answer.value === "string" ? answer.value : undefined;
  if ("text" in answer) return typeof answer.text === "string" ? answer.text : undefined;
  return "ids" in answer && Array.isArray(answer.ids) ? answer.ids.map(label).join(", ") : undefined;
}
