import { type PatternPart, patternParts } from "./pattern-parts.ts";

/** Far more than anything that people enter and patterns are written for. */
const longestTested = 1000;
const mostStates = 10_000;
/** As many can be taken between two keys that are pressed. */
const mostSteps = 200_000;

/**
 * Whether a text fits a pattern of an API description. Undefined if that cannot be told: the
 * pattern is not one that is known here, or trying it would take too long. The server knows.
 *
 * Patterns come from a description that anyone can write. A `RegExp` goes back and tries again, for
 * years with a pattern like ^(a+)+$. This never is in the same state at the same character twice.
 */
export function fitsPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > longestTested) return undefined;
  const matcher = matcherOf(pattern);
  if (!matcher) return undefined;
  const characters = matcher.inCodePoints ? [...text] : text.split("");
  try {
    return new Search(characters).finds(matcher.start, true);
  } catch {
    return undefined;
  }
}

/** What has to come next, and what comes after it. */
type State =
  | { id: number; kind: "one"; fits: RegExp; next: State }
  | { id: number; kind: "edge"; name: string; next: State }
  | { id: number; kind: "ahead"; start: State; wanted: boolean; next: State }
  | { id: number; kind: "fork"; ways: State[] }
  | { id: number; kind: "end" };

interface Matcher {
  start: State;
  inCodePoints: boolean;
}

const matchers = new Map<string, Matcher | undefined>();

function matcherOf(pattern: string): Matcher | undefined {
  if (!matchers.has(pattern)) matchers.set(pattern, newMatcher(pattern));
  return matchers.get(pattern);
}

function newMatcher(pattern: string): Matcher | undefined {
  // Some write patterns as they stand in code: /^[a-z]+$/i
  const [, inner = pattern, ignoreCase = ""] = /^\/(.+)\/(i?)$/s.exec(pattern) ?? [];
  // Some patterns are only valid without the flag.
  for (const flags of ["u", ""]) {
    const part = patternParts(inner, flags + ignoreCase);
    const start = part && new StateMaker().startOf(part);
    if (start) return { start, inCodePoints: flags === "u" };
  }
  return undefined;
}

class StateMaker {
  private count = 0;

  /** Undefined if it has too many: a{1000} is a thousand times the same. */
  startOf(part: PatternPart): State | undefined {
    try {
      return this.before({ id: this.nextId(), kind: "end" }, part);
    } catch {
      return undefined;
    }
  }

  private nextId(): number {
    this.count += 1;
    if (this.count > mostStates) throw new Error("The pattern has too many states.");
    return this.count;
  }

  private before(next: State, part: PatternPart): State {
    switch (part.kind) {
      case "one":
        return { id: this.nextId(), kind: "one", fits: part.fits, next };
      case "edge":
        return { id: this.nextId(), kind: "edge", name: part.name, next };
      case "sequence":
        return part.parts.reduceRight((after, one) => this.before(after, one), next);
      case "choice":
        return this.fork(part.parts.map((one) => this.before(next, one)));
      case "ahead": {
        const start = this.before({ id: this.nextId(), kind: "end" }, part.part);
        return { id: this.nextId(), kind: "ahead", start, wanted: part.wanted, next };
      }
      case "repeat":
        return this.repeated(next, part.part, part.least, part.most);
    }
  }

  private repeated(next: State, part: PatternPart, least: number, most: number): State {
    let start = next;
    if (most === Infinity) {
      const again = this.fork([next]);
      again.ways.push(this.before(again, part));
      start = again;
    } else {
      for (let time = least; time < most; time += 1) {
        start = this.fork([next, this.before(start, part)]);
      }
    }
    for (let time = 0; time < least; time += 1) start = this.before(start, part);
    return start;
  }

  private fork(ways: State[]) {
    return { id: this.nextId(), kind: "fork" as const, ways };
  }
}

class Search {
  private steps = 0;
  private readonly characters: string[];

  constructor(characters: string[]) {
    this.characters = characters;
  }

  /** From one place, or, like a `RegExp`, from any. */
  finds(start: State, anywhere: boolean, from = 0): boolean {
    const been = new Set<number>();
    const last = anywhere ? this.characters.length : from;
    for (let place = from; place <= last; place += 1) {
      if (this.leads(start, place, been)) return true;
    }
    return false;
  }

  private leads(start: State, from: number, been: Set<number>): boolean {
    const open: [State, number][] = [[start, from]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [state, place] = next;
      const visit = state.id * (longestTested + 1) + place;
      if (been.has(visit)) continue;
      been.add(visit);
      this.steps += 1;
      if (this.steps > mostSteps) throw new Error("This takes too long.");
      if (state.kind === "end") return true;
      if (state.kind === "fork")
        open.push(...state.ways.map((way): [State, number] => [way, place]));
      else if (state.kind === "one") {
        if (state.fits.test(this.characters[place] ?? "")) open.push([state.next, place + 1]);
      } else if (this.holds(state, place)) open.push([state.next, place]);
    }
    return false;
  }

  private holds(state: State & { kind: "edge" | "ahead" }, place: number): boolean {
    if (state.kind === "ahead") return this.finds(state.start, false, place) === state.wanted;
    if (state.name === "^") return place === 0;
    if (state.name === "$") return place === this.characters.length;
    const isBetween = this.isWord(place - 1) !== this.isWord(place);
    return isBetween === (state.name === "\\b");
  }

  private isWord(place: number): boolean {
    return /^\w$/.test(this.characters[place] ?? "");
  }
}
