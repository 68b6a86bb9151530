import type { Part, Scene, Unknown } from "./action.ts";
import { code } from "./answer.ts";
import { families } from "./families.ts";
import { type Literal, mask, unmask } from "./literals.ts";
import { partsOf, type Understood } from "./parts.ts";
import { respelled } from "./respelling.ts";
import { Found, phraseOf } from "./wording.ts";

/** A request is not longer than this, apart from what is in it word for word. Patterns are spared the rest. */
const LONGEST_REQUEST = 1000;
const LONGEST_OPEN_REQUEST = 100_000;
/** Nor do all of a prompt's requests together come to more. */
const LONGEST_PROMPT = 100_000;

/** What a prompt asks for, part by part, in its order. Nothing is done, and nothing but the words and the scene is looked at. */
export function understand(prompt: string, context: Scene["context"] = []): Part[] {
  const masked = mask(prompt);
  if (masked.text.length > LONGEST_PROMPT) return [{ unknown: prompt.trim(), hint: TOO_LONG }];
  const read = (words: string, scene: Scene) => understandOne(words, masked.literals, scene);
  const parts = partsOf(masked, { context }, read).flatMap((part) =>
    "run" in part ? part : secondLook(part, context),
  );
  if (parts.length === 0) return [{ unknown: prompt.trim() }];
  const matter = parts.filter((part) => !("run" in part) || part.talk !== "courtesy");
  return matter.length > 0 ? matter : parts.slice(0, 1);
}

const TOO_LONG = `Say it in at most ${LONGEST_PROMPT} characters. Text in quotes or in a block of code does not count.`;

/** Words that were not understood, without their slips. What only looks is done then; about anything else one has to be sure. */
function secondLook(part: Unknown, context: Scene["context"]): Part[] {
  const { text, literals } = mask(part.unknown);
  const mended = part.hint === undefined && text.length <= LONGEST_REQUEST ? respelled(text) : undefined;
  if (mended === undefined) return [part];
  const parts = partsOf({ text: mended, literals }, { context }, (words, scene) =>
    understandOne(words, literals, scene),
  );
  const known = parts.flatMap((one) => ("run" in one ? [one] : []));
  if (known.length < parts.length) return [part];
  if (known.every(({ changes }) => !changes)) return known;
  return [{ ...part, hint: `Did you mean this: ${code(unmask(mended, literals))}?` }];
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
