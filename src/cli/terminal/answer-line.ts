import type { Answer } from "../../core/engine.ts";
import type { Question } from "../../core/events.ts";

/** What a line says to a question, if it is an answer to it. */
export function answerFromLine(line: string, question: Question): Answer | undefined {
  if (question.kind === "prompt") return { value: line === "" ? (question.defaultValue ?? "") : line };
  if (question.kind === "pick") return picked(line.trim(), question) ?? ownWords(line.trim(), question);
  return question.kind === "confirm" ? confirmed(line.trim(), question) : undefined;
}

/** How to answer, in a few words. */
export function lineHint({ kind, allowRemember, multi, allowText, items = [] }: Question): string {
  if (kind === "prompt") return "Your answer, in one line:";
  if (kind === "pick") {
    const more = `${multi ? ", or several" : ""}${allowText ? ", or your own words" : ""}`;
    return `Your choice, 1 to ${items.length}${more}; an empty line picks none:`;
  }
  return `y yes · n no · n and a reason${allowRemember ? " · a yes, and from now on" : ""}:`;
}

function confirmed(line: string, { allowRemember }: Question): Answer | undefined {
  if (/^y(es)?$/i.test(line)) return { ok: true };
  if (/^no?$/i.test(line)) return { ok: false };
  if (allowRemember && /^a(lways)?$/i.test(line)) return { ok: true, remember: true };
  const reason = /^(?:no?|r)\b[\s:,.]*(.+)$/i.exec(line)?.[1];
  return reason ? { ok: false, reason } : undefined;
}

function picked(line: string, { items = [], multi }: Question): Answer | undefined {
  const idOf = (word: string) =>
    items.find(({ id }) => id === word)?.id ??
    items[Number(word) - 1]?.id ??
    items.find(({ label }) => label.toLowerCase() === word.toLowerCase())?.id;
  if (line === "") return { ids: [] };
  // A label may have blanks and commas in it.
  for (const words of [[line], line.split(/\s*,\s*/), line.split(/[\s,]+/)]) {
    const ids = words.filter((word) => word !== "").map(idOf);
    if (ids.every((id) => id !== undefined) && (multi || ids.length === 1)) return { ids: [...new Set(ids)] };
  }
  return undefined;
}

/** A number that none of them has is a slip, and not what someone wanted to say. */
function ownWords(line: string, { allowText }: Question): Answer | undefined {
  return allowText && !/^[\d\s,]*$/.test(line) ? { ids: [], text: line } : undefined;
}

/** What is said for someone who is not there. */
export function noAnswer({ kind }: Question): Answer {
  if (kind === "prompt") return { value: null };
  return kind === "pick" ? { ids: [] } : { ok: false };
}
