import { type Dice, randomFrom } from "./mock-random.ts";

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();

/**
 * A text for a simple pattern: literals, classes, groups with alternatives, and repetitions.
 * Undefined for what it does not know; what comes back may still not fit and has to be tested.
 */
export function textForPattern(pattern: string, dice: Dice): string | undefined {
  if (pattern.length > 500) return undefined;
  const reader = new PatternReader(pattern, dice);
  const text = reader.alternatives(0);
  return reader.failed || !reader.finished ? undefined : text;
}

class PatternReader {
  failed = false;
  private at = 0;
  private steps = 0;
  private readonly pattern: string;
  private readonly dice: Dice;

  constructor(pattern: string, dice: Dice) {
    this.pattern = pattern;
    this.dice = dice;
  }

  get finished(): boolean {
    return this.at >= this.pattern.length;
  }

  alternatives(depth: number): string {
    const all: [string, ...string[]] = [this.sequence(depth)];
    while (!this.failed && this.pattern[this.at] === "|") {
      this.at += 1;
      all.push(this.sequence(depth));
    }
    return this.dice.pick(all);
  }

  private sequence(depth: number): string {
    let text = "";
    while (!this.finished && !this.failed && !"|)".includes(this.pattern.charAt(this.at))) {
      const start = this.at;
      const once = this.atom(depth);
      const [least, most] = this.repetition();
      const end = this.at;
      const times = this.dice.between(least, most);
      if (times > 0) text += once;
      // Each time is read again, so that it may turn out differently.
      for (let time = 1; time < times && !this.failed; time += 1) {
        this.at = start;
        text += this.atom(depth);
      }
      this.at = end;
    }
    return text;
  }

  private atom(depth: number): string {
    const token = this.pattern.charAt(this.at);
    this.at += 1;
    this.steps += 1;
    if (this.steps > 5000) this.failed = true;
    if (token === "^" || token === "$") return "";
    if (token === ".") return randomFrom(lower, 1, this.dice);
    if (token === "\\") return this.escape();
    if (token === "[") return this.characterClass();
    if (token === "(") return this.group(depth);
    return token;
  }

  private escape(): string {
    const name = this.pattern.charAt(this.at);
    this.at += 1;
    const alphabet = escapedAlphabet(name);
    if (alphabet) return randomFrom(alphabet, 1, this.dice);
    if (/[A-Za-z0-9]/.test(name)) this.failed = !"AZzbB".includes(name);
    return /[A-Za-z0-9]/.test(name) ? "" : name;
  }

  private group(depth: number): string {
    if (this.pattern.startsWith("?:", this.at)) this.at += 2;
    else if (this.pattern[this.at] === "?") this.failed = true;
    if (this.failed || depth > 10) {
      this.failed = true;
      return "";
    }
    const text = this.alternatives(depth + 1);
    if (this.pattern[this.at] !== ")") this.failed = true;
    this.at += 1;
    return text;
  }

  private characterClass(): string {
    const content = /^((?:[^\]\\]|\\.)+)\]/s.exec(this.pattern.slice(this.at))?.[1];
    if (content === undefined) {
      this.failed = true;
      return "";
    }
    this.at += content.length + 1;
    const negated = content.startsWith("^");
    const named = alphabetOf(negated ? content.slice(1) : content);
    const usual = lower + digits + upper;
    const alphabet = negated ? [...usual].filter((one) => !named.includes(one)).join("") : named;
    if (alphabet === "") this.failed = true;
    return this.failed ? "" : randomFrom(alphabet, 1, this.dice);
  }

  private repetition(): [number, number] {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.pattern.slice(this.at));
    if (!found) return [1, 1];
    this.at += found[0].length;
    const [, sign, least = "", comma, most] = found;
    if (sign === "?") return [0, 1];
    if (sign) return [sign === "*" ? 0 : 1, 6];
    const from = Math.min(Number(least), 500);
    if (!comma) return [from, from];
    return [from, most ? Math.min(Number(most), from + 6) : from + 3];
  }
}

function escapedAlphabet(name: string): string | undefined {
  if (name === "d") return digits;
  if (name === "w") return lower + digits;
  if (name === "s") return " ";
  if (name === "S" || name === "D") return lower;
  return undefined;
}

function alphabetOf(content: string): string {
  let alphabet = "";
  for (const [token, from, to] of content.matchAll(/([^\\])-([^\\])|\\.|[^\\]/gs)) {
    if (token.startsWith("\\")) alphabet += escapedAlphabet(token.charAt(1)) ?? token.charAt(1);
    else if (from && to) alphabet += charactersBetween(from, to);
    else alphabet += token;
  }
  return alphabet;
}

function charactersBetween(from: string, to: string): string {
  const start = from.charCodeAt(0);
  const length = Math.min(Math.max(0, to.charCodeAt(0) - start + 1), 200);
  return Array.from({ length }, (_, offset) => String.fromCharCode(start + offset)).join("");
}
