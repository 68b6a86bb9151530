import type { Action, Part, Scene, Unclear } from "./action.ts";
import { type Masked, unmask } from "./literals.ts";

export type Reading = (masked: string, scene: Scene) => Understood | undefined;
/** `family`: which kind of request it is. */
type Known = { action: Action; family: string };
export type Understood = Known | Unclear;

interface Separator {
  text: string;
  /** "then" and a new line begin something new; "and", a comma or a full stop may also be in the middle of something. */
  strong: boolean;
}

const SEPARATOR = new RegExp(
  [
    "(?<strong>[,;.!?]?\\n+|[,;.!?]? and then |[,;.!?] (?:and )?(?:then|after that|afterwards|finally|next)[, ])",
    "(?<weak>,? then | and also |,? and |(?<!(?:^|[\\n ])\\d{1,2})[.!?;] |, )",
  ].join("|"),
  "gi",
);
// Enough for any request that a person types. What follows is then one piece, so that time stays bounded.
const MOST_SEPARATORS = 100;
/** So many more pieces are looked at to find out whether they make sense together. */
const LOOK_AHEAD = 3;

/** After words that are taken as they stand, only these begin something new where "and" alone comes before. */
const ENDS_TEXT = ["commit", "git_push", "git_status", "git_diff", "read", "run_script", "shell"];
const ENDS_MESSAGE = ["git_push"];

/** The requests of a prompt, in their order. Where a separator ends one depends on what its two sides mean. */
export function partsOf({ text, literals }: Masked, scene: Scene, read: Reading): Part[] {
  const whole = text
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
  const { pieces, separators } = cut(whole);
  const splitter = new Splitter(pieces, separators, read);
  const parts: Part[] = [];
  let now = scene;
  const take = (words: string) => {
    if (!/[^\s.,;:!?]/.test(words)) return;
    const found = read(words, now);
    if (found && "action" in found) {
      parts.push(found.action);
      now = { ...now, subject: found.action.subject ?? now.subject };
    } else parts.push({ unknown: unmask(words, literals).trim(), ...found });
  };
  let current = pieces[0] ?? "";
  for (const [index, separator] of separators.entries()) {
    const next = pieces[index + 1] ?? "";
    if (splitter.endsBefore(current, index, now)) {
      take(current);
      current = next;
    } else current += separator.text + next;
  }
  take(current);
  return parts;
}

function cut(whole: string): { pieces: string[]; separators: Separator[] } {
  const pieces: string[] = [];
  const separators: Separator[] = [];
  let from = 0;
  for (const match of whole.matchAll(SEPARATOR)) {
    if (separators.length === MOST_SEPARATORS) break;
    const end = match.index + match[0].length;
    // What is in a block belongs to the request before it.
    if (match[0].includes("\n") && whole[end] === "\uE000") continue;
    pieces.push(whole.slice(from, match.index));
    separators.push({ text: match[0], strong: match.groups?.strong !== undefined });
    from = end;
  }
  pieces.push(whole.slice(from));
  return { pieces, separators };
}

class Splitter {
  readonly #pieces: string[];
  readonly #separators: Separator[];
  readonly #read: Reading;

  constructor(pieces: string[], separators: Separator[], read: Reading) {
    this.#pieces = pieces;
    this.#separators = separators;
    this.#read = read;
  }

  /** Whether the separator of this index ends the current request. */
  endsBefore(current: string, index: number, scene: Scene): boolean {
    if (current.trim() === "") return true;
    const separator = this.#separators[index];
    const before = this.#action(current, scene);
    const then = { ...scene, subject: before?.action.subject ?? scene.subject };
    const after = this.#sense("", index + 1, then);
    if (separator?.strong) return after !== undefined || before === undefined || before.action.openEnd === undefined;
    if (after && before && !mayFollow(before, after, separator?.text ?? "", this.#pieces[index + 1] ?? ""))
      return false;
    if (after && before && !after.action.terse) return true;
    if (!after && (!before || before.action.openEnd)) return false;
    return this.#sense(current + separator?.text, index + 1, scene) === undefined;
  }

  /** What the words mean with one or more of the pieces that follow, up to where something new begins in any case. */
  #sense(words: string, from: number, scene: Scene): Known | undefined {
    let text = words;
    for (let at = from; at <= from + LOOK_AHEAD && at < this.#pieces.length; at++) {
      const separator = this.#separators[at - 1];
      if (at > from && separator?.strong) return undefined;
      text += (at > from ? (separator?.text ?? "") : "") + this.#pieces[at];
      const found = this.#action(text, scene);
      if (found) return found;
    }
    return undefined;
  }

  #action(words: string, scene: Scene): Known | undefined {
    const found = this.#read(words, scene);
    return found && "action" in found ? found : undefined;
  }
}

function mayFollow(before: Known, after: Known, separator: string, words: string): boolean {
  if (after.action.terse && after.family !== before.family) return false;
  const { openEnd } = before.action;
  if (openEnd === undefined) return true;
  if (separator.startsWith(".")) return openEnd !== "command" && /^\p{Lu}/u.test(words);
  if (!/\b(?:and|then)\b/i.test(separator)) return false;
  if (openEnd === "command") return true;
  return (openEnd === "text" ? ENDS_TEXT : ENDS_MESSAGE).includes(after.action.name);
}
