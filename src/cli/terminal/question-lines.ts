import type { Event, EventOf, Question } from "../../core/events.ts";
import { plainText } from "../../core/plain-text.ts";
import { shownName, shownQuestion } from "../../dialects/question.ts";
import { bounded, diffLines } from "./diff-lines.ts";
import type { Paint } from "./paint.ts";
import type { Place } from "./screen.ts";
import { rowsOf, wordRows } from "./text-width.ts";
import { count, oneLine } from "./wording.ts";

/** Rows of the screen that the body of a question leaves to its title, its keys and the status. */
const ROWS_AROUND = 8;
const FEWEST_ROWS = 4;
const INDENT = "  ";

export interface QuestionStyle {
  /** All of it, however long. */
  whole: boolean;
  /** How to see the rest. */
  more: string;
}

/** What is asked, with all that an answer is about. */
export function questionLines(opened: EventOf<"ask.opened">, place: Place, { whole, more }: QuestionStyle): string[] {
  const question = shownQuestion(opened);
  const { paint, width } = place;
  const title = wordRows(`? ${oneLine(question.title)}`, width).map(question.danger ? redAndBold(place) : paint.bold);
  const body = bodyLines(question, place);
  const most = whole ? Number.POSITIVE_INFINITY : Math.max(FEWEST_ROWS, place.rows - ROWS_AROUND);
  const missing = (lines: number) => paint.yellow(`${INDENT}… ${count(lines, "more line")}${more}`);
  return [...title, ...bounded(body, most, missing)];
}

const redAndBold =
  ({ paint }: Place) =>
  (text: string) =>
    paint.red(paint.bold(text));

function bodyLines(question: Question, { paint, width }: Place): string[] {
  const room = width - INDENT.length;
  const message = question.message
    .split("\n")
    .filter((line) => line.trim() !== "" && line !== question.title)
    .flatMap((line) => wordRows(line, room));
  const about = question.diff ? diffLines(question.diff, paint, room) : argLines(question, { paint, room });
  const cut = question.truncated ? [paint.yellow("Too long to be shown whole: the rest is in the log.")] : [];
  return [...message, ...about, ...cut].map((line) => INDENT + line);
}

/** Arguments that the text of the question does not show already. A yes is given to all of them; numbers and flags share a line. */
function argLines({ args, title, message, kind }: Question, { paint, room }: { paint: Paint; room: number }): string[] {
  if (kind !== "confirm" || typeof args !== "object" || args === null) return [];
  const unseen = Object.entries(args).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (text === undefined || `${title}\n${message}`.includes(text)) return [];
    return [{ said: plainText(`${name}: ${text}`), isSmall: typeof value === "number" || typeof value === "boolean" }];
  });
  const small = unseen.flatMap(({ said, isSmall }) => (isSmall ? [said] : []));
  const large = unseen.flatMap(({ said, isSmall }) => (isSmall ? [] : said.split("\n")));
  return [
    ...large.flatMap((line) => rowsOf(line, room)),
    ...(small.length > 0 ? wordRows(small.join(" · "), room).map(paint.dim) : []),
  ];
}

/** How an ask ended, in one line. */
export function outcomeText(closed: EventOf<"ask.closed">, opened: Event | undefined, isOurs: boolean): string {
  const { outcome, answer, by } = closed;
  const question = opened?.type === "ask.opened" ? opened : undefined;
  const who = isOurs ? "" : by ? ` · by ${shownName(by)}` : "";
  if (outcome === "answered") return oneLine(`${answerText(answer, question)}${who}`);
  return outcome === "expired" ? "nobody answered in time" : "withdrawn";
}

function answerText(answer: unknown, question: Question | undefined): string {
  if (typeof answer !== "object" || answer === null) return "answered (not shown)";
  const { ok, remember, reason, value, ids, text, success } = answer as Record<string, unknown>;
  if (typeof ok === "boolean") {
    return `${ok ? "yes" : "no"}${remember ? ", and from now on" : ""}${reason ? `: ${reason}` : ""}`;
  }
  if (typeof text === "string") return text;
  if (Array.isArray(ids)) {
    const labels = ids.map((id) => question?.items?.find((item) => item.id === id)?.label ?? String(id));
    return labels.length > 0 ? labels.join(", ") : "nothing picked";
  }
  if (value === null) return "no answer given";
  if (typeof value === "string") return value === "" ? "(empty)" : value;
  return success === false ? "it failed" : "done";
}
