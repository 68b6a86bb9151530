import type { Part, Scene } from "./action.ts";
import { families } from "./families.ts";
import { type Literal, mask } from "./literals.ts";
import { partsOf, type Understood } from "./parts.ts";
import { Found, phraseOf } from "./wording.ts";

/** A request is not longer than this, apart from what is in it word for word. Patterns are spared the rest. */
const LONGEST_REQUEST = 1000;
const LONGEST_OPEN_REQUEST = 100_000;

/** What a prompt asks for, part by part, in its order. Nothing is done, and nothing but the words and the scene is looked at. */
export function understand(prompt: string, context: Scene["context"] = []): Part[] {
  const masked = mask(prompt);
  const parts = partsOf(masked, { context }, (words, scene) => understandOne(words, masked.literals, scene));
  if (parts.length === 0) return [{ unknown: prompt.trim() }];
  const matter = parts.filter((part) => !("run" in part) || part.talk !== "courtesy");
  return matter.length > 0 ? matter : parts.slice(0, 1);
}

function understandOne(words: string, literals: Literal[], scene: Scene): Understood | undefined {
  const phrase = phraseOf(words, literals);
  for (const family of families) {
    for (const { pattern, open, make } of family.forms) {
      const subject = open ? phrase.open : phrase.text;
      if (subject.length > (open ? LONGEST_OPEN_REQUEST : LONGEST_REQUEST)) continue;
      const match = pattern.exec(subject);
      if (!match) continue;
      const made = make(new Found({ ...match.groups }, literals), scene);
      if (made) return "run" in made ? { action: made, family: family.name } : made;
    }
  }
  return undefined;
}
