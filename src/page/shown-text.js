import { element } from "./element.js";
import { markdown } from "./markdown.js";

export const MOST_CHARACTERS = 100_000;
/** What is longer is shown as it was written. */
const MOST_MARKED = 20_000;

export const statusWords = {
  pending: "to do",
  running: "under way",
  done: "done",
  failed: "failed",
  skipped: "skipped",
  cancelled: "cancelled",
};

export const text = (content) => element("div", { class: "text" }, cut(trimmed(content)));

export function markedText(content) {
  if (content.length > MOST_MARKED) return text(content);
  return element("div", { class: "text marked" }, ...markdown(trimmed(content)));
}

/** Without the empty lines around it; the first line keeps its indentation. */
const trimmed = (content) => content.replace(/^\s*\n/, "").trimEnd();

export const cut = (content) =>
  content.length > MOST_CHARACTERS
    ? `${content.slice(0, MOST_CHARACTERS)}\n… (${content.length - MOST_CHARACTERS} more characters)`
    : content;

/** What core says with a word for programs. */
const ownWords = new Map([
  ["Cancelled: cancelled by the user", "Cancelled by the user."],
  ["Cancelled: owner_stopped", "Cancelled: the process that ran it was stopped."],
  ["Cancelled: session_closed", "Cancelled: the session was closed."],
]);

/** What a run ends with when Dragoman itself, and no agent, says so. */
export const ownWordsFor = (content) => ownWords.get(content);
