/** What a regular expression consists of, as far as it can be matched without going back. */
export type PatternPart =
  | { kind: "one"; fits: RegExp }
  | { kind: "edge"; name: string }
  | { kind: "sequence"; parts: PatternPart[] }
  | { kind: "choice"; parts: PatternPart[] }
  | { kind: "repeat"; part: PatternPart; least: number; most: number }
  | { kind: "ahead"; part: PatternPart; wanted: boolean };

/** Undefined for what JavaScript does not accept, and for what has to remember, or to look back. */
export function patternParts(source: string, flags: string): PatternPart | undefined {
  try {
    new RegExp(source, flags);
    return new PartReader(source, flags).whole();
  } catch {
    return undefined;
  }
}

const deepestGroup = 50;
const escapes =
  /\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|u\{\w+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|0(?!\d)|[^\dkupPcx])/suy;
const classes = /\[(?:\\.|[^\]\\])*\]/suy;
const groups = /\((?:\?(?:[:=!]|<\w+>))?/uy;
const repetitions = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/uy;
const literals = /[^()|*+?\\[]/suy;

class PartReader {
  private at = 0;
  private depth = 0;
  private readonly source: string;
  private readonly flags: string;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
  }

  whole(): PatternPart {
    // Half of such a character is one without the flag.
    if (!this.flags.includes("u") && /[\ud800-\udfff]/.test(this.source)) throw notKnown;
    const part = this.choice();
    if (this.at < this.source.length) throw notKnown;
    return part;
  }

  private choice(): PatternPart {
    const parts = [this.sequence()];
    while (this.take(/\|/uy)) parts.push(this.sequence());
    return { kind: "choice", parts };
  }

  private sequence(): PatternPart {
    const parts: PatternPart[] = [];
    while (this.at < this.source.length && !"|)".includes(this.source.charAt(this.at))) {
      parts.push(this.repeated(this.atom()));
    }
    return { kind: "sequence", parts };
  }

  private repeated(part: PatternPart): PatternPart {
    const found = this.take(repetitions);
    if (!found) return part;
    const [sign, least, comma, most] = found;
    if (least === undefined) {
      const from = sign.startsWith("+") ? 1 : 0;
      return { kind: "repeat", part, least: from, most: sign.startsWith("?") ? 1 : Infinity };
    }
    const end = comma ? (most ? Number(most) : Infinity) : Number(least);
    return { kind: "repeat", part, least: Number(least), most: end };
  }

  private atom(): PatternPart {
    const group = this.take(groups);
    if (group) return this.group(group[0]);
    const [edge] = this.take(/\^|\$|\\b|\\B/uy) ?? [];
    if (edge) return { kind: "edge", name: edge };
    const [one] = this.take(escapes) ?? this.take(classes) ?? this.take(literals) ?? [];
    // Without the flag these mean something else; whoever writes them has the flag in mind.
    if (!one || (!this.flags.includes("u") && /^\\[upP]\{/.test(one))) throw notKnown;
    return { kind: "one", fits: new RegExp(`^(?:${one})$`, this.flags) };
  }

  private group(opening: string): PatternPart {
    this.depth += 1;
    if (this.depth > deepestGroup) throw notKnown;
    const part = this.choice();
    this.depth -= 1;
    if (!this.take(/\)/uy)) throw notKnown;
    const isAhead = opening === "(?=" || opening === "(?!";
    return isAhead ? { kind: "ahead", part, wanted: opening === "(?=" } : part;
  }

  /** What stands here, if it is such. */
  private take(such: RegExp): RegExpExecArray | undefined {
    such.lastIndex = this.at;
    const found = such.exec(this.source) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }
}

const notKnown = new Error("This part of the pattern is not known.");
