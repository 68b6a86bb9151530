/** The answers that a question offers itself: "email, SMS or push?", "(e.g., 30 days, 90 days)", "- email/password, SSO, OAuth?". */
export function alternativesIn(question: string): string[] {
  for (const part of candidates(question.slice(0, LONGEST))) {
    const found = split(part);
    if (found.length >= 2 && found.length <= 6) return found.slice(0, 5);
  }
  return [];
}

const LONGEST = 1000;

/** Where alternatives are listed, the surest first. */
function candidates(question: string): string[] {
  const parts: string[] = [];
  for (const [, inner = ""] of question.matchAll(/\(([^()]{3,200})\)/g)) parts.push(inner);
  const led = /\b(?:e\.g\.,?|for example,?|such as|options?(?: are)?:|either|namely|i\.e\.,?)\s+(.{3,200})$/i.exec(
    question,
  )?.[1];
  if (led) parts.push(led);
  const dashed = question
    .split(/\s[–—-]\s|:\s/)
    .slice(1)
    .at(-1);
  if (dashed) parts.push(dashed);
  const asked = question.split(/(?<=\?)\s+/);
  const listed = asked.slice(1).join(" ");
  if (listed && /,|\bor\b/.test(listed)) parts.push(listed);
  return [...parts, ...asked.filter((one) => CHOICE.test(one)).map(offered)].filter(Boolean);
}

const CHOICE = /\bor\b|\b(?:vs|versus)\b|\s\/\s|^[^/\s]+(?:\/[^/\s]+){2,}\??$/i;
const BETWEEN = /\s*[,;](?!\d)\s*(?:or\s+|and\s+|vs\.?\s+)?|\s+or\s+|\s+(?:vs\.?|versus)\s+|\s+[|/]\s+/i;
const ASKING = /^(?:which|what|who|whom|whose|how|when|where|why|should|is|are|does|do|can|will|must|shall|may)\b/i;

function split(part: string): string[] {
  const bare = part
    .replace(/^(?:e\.g\.,?|for example,?|such as|like|options?:|either|is it|are they)\s+/i, "")
    .replace(/[?.!]+\s*$/, "");
  const slashed = /^[^/\s]+(?:\/[^/\s]+){2,}$/.test(bare.trim()) ? bare.split("/") : bare.split(BETWEEN);
  const pieces = slashed.map((piece) => unquoted(piece.trim()));
  const good = withUnit(
    pieces.filter(
      (piece) =>
        /[\p{L}\p{N}]/u.test(piece) &&
        !/^(?:etc|and so on|\.\.\.|…|not|else|other(?:s|wise)?|something else)\.?$/i.test(piece),
    ),
  );
  const answers = good.filter((piece, index) => index > 0 || !ASKING.test(piece));
  return answers.every((piece) => piece.length <= 60 && piece.split(/\s+/).length <= 8) ? [...new Set(answers)] : [];
}

const unquoted = (piece: string): string => piece.replace(/^["“'‘`]([^"”'’`]*)["”'’`]$/, "$1");

/** "30, 60 or 90 days" are all days. */
function withUnit(pieces: string[]): string[] {
  const unit = /^[\d.,]+\s?(%|[a-zA-Z]+(?: per [a-z]+)?)$/.exec(pieces.at(-1) ?? "")?.[1];
  if (!unit) return pieces;
  return pieces.map((piece) => (/^[\d.,]+$/.test(piece) ? `${piece}${unit === "%" ? "" : " "}${unit}` : piece));
}

/** A sentence offers what stands at its end; words that are no sentence are nothing but what is offered. */
function offered(sentence: string): string {
  const bare = sentence.replace(/^\s*(?:whether (?:(?:to|it is|it should be|they are|by|via) )?|either )/i, "");
  const isSentence = ASKING.test(bare) || VERB.test(bare.split(BETWEEN)[0] ?? "");
  return isSentence ? parallel(bare) : bare;
}

const VERB = /\b(?:should|must|shall|will|is|are|be|does|do|can|needs?)\b/i;
const FILLER = /^(?:be|is|are|it|the|a|an|to|by|via|as|in|use|used|using|should|must|sent|with|on|for)\s+/i;

/**
 * "Should reports be sent daily or weekly?" offers "daily" and "weekly": what stands before the first alternative is cut off
 * by taking as many words as the alternatives behind it have.
 */
function parallel(sentence: string): string {
  const pieces = sentence.replace(/[?.!]+\s*$/, "").split(BETWEEN);
  const [first = "", ...others] = pieces;
  if (others.length === 0) return "";
  const words = Math.max(...others.map((piece) => piece.split(/\s+/).length));
  if (words > 5) return "";
  const known = first.split(/\s+/);
  let from = Math.max(0, known.length - words);
  while (from > 0 && JOINING.test(known[from] ?? "")) from -= 1; // "email and password" is one
  let head = known.slice(from).join(" ");
  for (let cut = head.replace(FILLER, ""); cut !== head; cut = head.replace(FILLER, "")) head = cut;
  return head ? [head, ...others].join(", ") : "";
}

const JOINING = /^(?:and|&|of|plus)$/i;

/** Whether yes and no answer it. */
export function isYesNo(question: string): boolean {
  return /^(?:is|are|does|do|can|could|should|will|would|may|must|shall|has|have)\b/i.test(question.trim());
}
