import type { Talk } from "./phrases.ts";
import type { Understood } from "./understood.ts";

export type Slots = Record<string, string | undefined>;

/** A kind of request: the ways to say it, and what it means. Undefined: it was meant otherwise after all. */
export interface Rule {
  says: RegExp[];
  means: (slots: Slots, talk: Talk) => Understood | undefined;
}

/** What the first rule makes of it that knows it. */
export function byRules(rules: Rule[], text: string, talk: Talk): Understood | undefined {
  for (const { says, means } of rules) {
    for (const pattern of says) {
      const match = pattern.exec(text);
      const understood = match && means(match.groups ?? {}, talk);
      if (understood) return understood;
    }
  }
  return undefined;
}

/** Patterns are written with words for what is said in many ways. */
const said: Record<string, string> = {
  HIDE: "(?:hide|remove|drop|delete|get rid of|take (?:away|out|off)|omit|leave out|exclude|lose|don'?t (?:show|display|list|include)|do not (?:show|display|list|include)|stop showing|no longer show|no)",
  SHOW: "(?:show(?: me| us)?|display|add|include|unhide|bring back|restore|put back|list|see)",
  MAKE: "(?:make|set|turn|change|switch|put|use|have|give(?: me)?|go|render|display|show)",
  MOVE: "(?:put|move|place|bring|pull|shift|drag|have|make|show|list|display)",
  CALL: "(?:rename|relabel|retitle|call|name|label|title)",
  COLUMN: "(?:columns?|fields?|attributes?|propert(?:y|ies))",
  LIST: "(?:lists?|tables?|pages?|views?|screens?)",
  NAV: "(?:nav(?:igation)?(?: ?bar)?|menu|sidebar|side bar|side ?nav)",
  IN: "(?:in|on|of|for|from|within|to|at)",
};

/** A pattern over a whole request, in which words in capitals stand for what is said in many ways. */
export function way(pattern: string): RegExp {
  const filled = pattern
    .replace(/\b[A-Z]{2,}\b/g, (word) => said[word] ?? word)
    .replaceAll(" ?", "\\s*")
    .replaceAll(" ", "\\s+");
  return new RegExp(`^${filled}$`, "iu");
}
