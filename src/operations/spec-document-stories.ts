import { type Block, plain } from "./markdown.ts";
import type { Item, Story } from "./spec-document.ts";

const NUMBERED =
  /^\W{0,4}(?:P\d\W{1,3})?(?:user )?(?:story|journey|use case|us|uc)[\s#-]*((?:\d{1,4}[-.])*\d{1,3})\b\]?/i;
const BARE_STORY = /^(?:(?:primary|main) )?(?:user )?(?:story|journey)\b(?=\s*[:–—-]|\s*$)/i;
const PRIORITY =
  /\bpriority\W{0,6}(P[0-5]|critical|highest|high|medium|low|must(?:[- ]have)?|should(?:[- ]have)?|could(?:[- ]have)?)\b/i;
const BARE_PRIORITY = /[[(]\s*(P[0-5]|(?:must|should|could)[- ]have)\s*[\])]|\b(P[0-5])\s*$|^\W{0,3}(P[0-5])\b/i;
export const AS_A = /\bAs an? ([^,.;]{2,60}?),? (?:I|we) (?:want|need|would like|wish|can|must|should|expect)\b/i;

export function priorityIn(text: string): string | undefined {
  const bare = BARE_PRIORITY.exec(text);
  const found = PRIORITY.exec(text)?.[1] ?? bare?.[1] ?? bare?.[2] ?? bare?.[3];
  if (!found) return undefined;
  return /^p\d$/i.test(found) ? found.toUpperCase() : found.charAt(0).toUpperCase() + found.slice(1).toLowerCase();
}

export function storyNumber(title: string): string | undefined {
  const number = NUMBERED.exec(title)?.[1];
  return number === undefined ? undefined : String(Number(number.split(/[-.]/).at(-1)));
}

/** "User Story 1 - Upload a file (Priority: P1) 🎯 MVP" is about "Upload a file". */
function storyTitle(heading: string): string {
  return heading
    .replace(NUMBERED, "")
    .replace(BARE_STORY, "")
    .replace(
      /\(\s*priority\b[^)]{0,40}\)|\[\s*priority\b[^\]]{0,40}\]|[[(]\s*(?:P[0-5]|(?:must|should|could)[- ]have)\s*[\])]/gi,
      "",
    )
    .replace(/🎯(?:\s*MVP)?/gu, "")
    .replace(/^[\s:.–—-]+|[\s:.–—-]+$/g, "");
}

export function storyFromHeading(block: Block, id: string): Story {
  const heading = plain(block.text);
  const title = storyTitle(heading) || heading;
  return {
    id,
    title,
    text: "",
    line: block.line,
    end: block.section.end,
    priority: priorityIn(heading),
    scenarios: [],
  };
}

/** A story told in one sentence: "As a guest, I want …". */
export function storyFromSentence(block: Block, id: string): Story {
  const text = plain(block.text);
  const wish = text.slice((AS_A.exec(text)?.[0].length ?? 0) + text.search(AS_A));
  const title = wish
    .replace(/^\s*to\s+/, "")
    .split(/\bso that\b|[.;]/i)[0]
    ?.replace(/\s*\([^()]{0,300}\)\s*$/, "")
    .replace(/^[\s,]+|[\s,]+$/g, "");
  const priority = priorityIn(text);
  return { id, title: title || text.slice(0, 80), text, line: block.line, end: block.end, priority, scenarios: [] };
}

const STEP = /^\W{0,4}(?:when|then|and|but)\b/i;

/** Whether the words are a scenario by themselves, wherever they stand. */
export function isScenario(text: string): boolean {
  return /\bgiven\b/i.test(text) && /\bthen\b/i.test(text);
}

/** Adds what stands under "Acceptance": an item, or a step (`When …`) that goes on with the scenario before it. */
export function addScenario(scenarios: Item[], block: Block): Item | undefined {
  const text = plain(block.text);
  const last = scenarios.at(-1);
  const stepOf = block.parent !== undefined || !/\bgiven\b/i.test(text);
  if (last && (block.parent || STEP.test(text)) && stepOf && !isScenario(text)) {
    last.text = `${last.text} ${text}`;
    return undefined;
  }
  if (
    block.kind === "paragraph" &&
    !isScenario(text) &&
    !/\bwhen\b.{1,300}\b(?:then|must|shall|should|will|is|are)\b/i.test(text)
  )
    return undefined;
  const item = { text, line: block.line };
  scenarios.push(item);
  return item;
}
