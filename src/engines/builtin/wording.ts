import { type Literal, literalIn, unmask } from "./literals.ts";

/** A request as patterns see it: literals are marks, blanks are single. */
export interface Phrase {
  /** Without what is only courtesy, at both ends, and without the punctuation at its end. */
  text: string;
  /** The same, but its end as it was written, for what is taken word for word. */
  open: string;
  literals: Literal[];
}

/** The whole of a request, in any case; pieces of patterns go in as they are. */
export function wording(strings: TemplateStringsArray, ...pieces: string[]): RegExp {
  return new RegExp(`^(?:${String.raw(strings, ...pieces)})$`, "i");
}

/** Words that many patterns have in common. */
export const SHOW = "(?:show|display|print|view|see|let me see|let's see|gimme|give|get|fetch|output|tell)(?: me| us)?";
export const WHAT_IS = "(?:what is|what's|whats|what are|what're|which is|which are)";
export const THE = "(?:(?:the|a|an|my|our|your|this|that|these|those) )?";
export const ALL = `(?:all |every |each |any )?(?:of )?${THE}`;
export const CALLED = "(?:called |named |with the name |by the name (?:of )?)?";
export const FOLDER = "(?:folder|directory|dir)";
export const IT = "(?:it|this file|that file|the file|this|that|the (?:current|active|open|opened) file|the same file)";

const BEFORE = [
  "would you mind|please|pls|plz|kindly|(?:hey|hi|hello)(?: there)?|ok|okay|well|so|alright|great|thanks|thank you|dragoman|@dragoman",
  "now|then|and|also|next|first|firstly|second|secondly|third|finally|lastly|afterwards|after that|once done|just|simply|quickly",
  "(?:can|could|would|will) (?:you|u|ya)(?: (?:please|pls|plz|kindly|just|maybe|quickly))?|are you able to|(?:do|can) you (?:know|tell me)|tell me|(?:i|we)(?: would|'d)? (?:want|like|need) to know|i wonder|you (?:can|should|could)",
  "(?:i|we)(?: would|'d)? (?:want|wanna|need|like|love)(?: you)? to|(?:i|we) wanna|i want(?: you)?|i'd like",
  "let's|lets|let us|help me(?: to)?|try to|go ahead and|do(?= an? )|be so kind (?:and|as to)|it would be (?:nice|great) if you could",
  // What follows is left out anyway where what comes before it failed.
  "if (?:they|it|that|this|all|all of them|everything|the tests|tests)(?: all| still)? (?:pass(?:es)?|works?|worked|succeeds?|(?:is|are) (?:ok|okay|fine|green)|goes? well)",
].join("|");
const COURTESY_BEFORE = new RegExp(`^(?:(?:${BEFORE})(?:[,:!.]+ ?| )|(?:[-*•]|\\d{1,2}[.)]) )`, "i");
const COURTESY_AFTER =
  /[ ,]+(?:please|pls|plz|thanks|thank you|thx|for me|now|right now|ok|okay|too|as well|(?:will|would|could|can) you|if you (?:can|could|please|would|don't mind)|again|real quick|quickly|first)$/i;
const MOST_COURTESIES = 12;

export function phraseOf(masked: string, literals: Literal[]): Phrase {
  let open = masked.replace(/[ \t]+/g, " ").trim();
  for (let n = 0; n < MOST_COURTESIES; n++) {
    const shorter = open.replace(COURTESY_BEFORE, "");
    if (shorter === open || shorter.trim() === "") break;
    open = shorter;
  }
  open = imperative(open);
  let text = withoutEnd(open);
  for (let n = 0; n < MOST_COURTESIES && text.length < 5000; n++) {
    const shorter = withoutEnd(text.replace(COURTESY_AFTER, ""));
    if (shorter === text || shorter === "") break;
    text = shorter;
  }
  return { text, open, literals };
}

function withoutEnd(text: string): string {
  if (/(?:^|[ /])\.{1,2}$/.test(text.slice(-4))) return text; // a folder, not the end of a sentence
  let end = text.length;
  while (end > 1 && /[\s.,;:!?…]/.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

/** "would you mind listing": the verb in another form. */
const GERUND =
  /^(list|show|read|search|find|count|display|print|open|check|replac|delet|renam|mov|creat|writ|mak|execut|runn|committ|putt|push|switch|append|add|build|install|test)ing(?= )/i;
const STEMS: Record<string, string> = { runn: "run", committ: "commit", putt: "put" };

function imperative(text: string): string {
  return text.replace(GERUND, (_, stem: string) => {
    const short = stem.toLowerCase();
    return STEMS[short] ?? (/(?:ac|et|am|ov|at|rit|ak|ut)$/.test(short) ? `${short}e` : short);
  });
}

/** What a pattern found in a phrase, its literals put back. */
export class Found {
  readonly #groups: Record<string, string | undefined>;
  readonly #literals: Literal[];

  constructor(groups: Record<string, string | undefined>, literals: Literal[]) {
    this.#groups = groups;
    this.#literals = literals;
  }

  has(name: string): boolean {
    return this.#groups[name] !== undefined;
  }

  /** As a pattern sees it. */
  masked(name: string): string {
    return this.#groups[name] ?? "";
  }

  text(name: string): string {
    return unmask(this.masked(name), this.#literals);
  }

  /** The literal that the whole group is, if it is one. */
  literal(name: string): Literal | undefined {
    return literalIn(this.masked(name), this.#literals);
  }

  /** The same for a piece of a group. */
  part(masked: string): Found {
    return new Found({ part: masked }, this.#literals);
  }
}
