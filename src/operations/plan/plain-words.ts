import { shortened } from "../analyze/place.ts";

/**
 * Words of the spec as they may stand in a plan or a task. What would read there as a task's id, a mark, a field or a
 * comment loses that meaning; to a person it stays the same.
 */
export function plainWords(text: string): string {
  return text
    .replace(/[`*|~#<>_\\\s\p{Cc}\p{Cf}]+|!\[/gu, " ")
    .replace(/\[?\s?NEEDS?[ _-]CLARIFICATION\b\s*:?\s*([^\]]{0,200})\]?/gi, (_, question: string) =>
      question.trim() ? `(open question “${question.trim()}”)` : "(open question)",
    )
    .replace(/\bT(?:BD|ODO)\b/g, "open")
    .replace(/\bto be (?:decided|determined|defined)\b/gi, "still open")
    .replace(/\[/g, "(")
    .replace(/\]/g, ")")
    .replace(/\((?:\s*|p|parallel)\)/gi, " ")
    .replace(/\b(T|TASK|TSK|US|UC)[-_]?(?=\d|XXX\b)/gi, "$1\u2011")
    .replace(/\b(tasks?|phases?|story|stories)\s*#?(?=\d)/gi, "$1 no. ")
    .replace(/ (?:—|–|-|·|•|--|→|->|←) /g, ", ")
    .replace(/[→←➜⇒⟶⟵➔▶]/g, " ")
    .replace(/:(?=\s)/g, ",")
    .replace(/:$/, "")
    .replace(/\s+/g, " ")
    .replace(/ ([.,;)])/g, "$1")
    .trim();
}

const SYSTEM =
  /^(?:the |this |our |each |every )?(?:system|application|app|service|platform|tool|api|server|software|product|website|site|solution|backend|frontend|client|page|cli|command|library|program|feature)\s+(?:must|shall|should|will|needs? to|has to|have to|may|can)\s+(not\s+|never\s+)?(?:be able to\s+)?/i;
const SOMEONE =
  /^(.{2,60}?)\s+(?:must|shall|should|will|can|may|needs? to|have to|has to)\s+(not\s+|never\s+)?(?:be able to\s+)?/i;
const WISH = /^as an?\s+.{2,60}?,?\s+i\s+(?:want|need|would like|wish)\s+(?:to\s+)?/i;

/** "via (open question …)": what follows is not known, so there is nothing to point at it. */
const DANGLING =
  /\s(?:via|by|with|for|using|through|in|to|after|within|of|at|from|on|as|than|exceed) \(open question/gi;

/** What a requirement asks for, as something to do: "System MUST send mail" is "Send mail". */
export function toDo(text: string, most: number): string {
  const words = plainWords(text)
    .replace(/^[^\p{L}\p{N}(]+/u, "")
    .replace(DANGLING, " (open question");
  const said = asked(words).replace(/\b(?:MUST|SHALL|SHOULD|MAY|CAN|WILL)\b/g, (word) => word.toLowerCase());
  return shortened(capital(said).replace(/[.;,\s]+$/, ""), most) || "What the spec says there";
}

function asked(words: string): string {
  const system = SYSTEM.exec(words);
  if (system) return system[1] ? `Never ${words.slice(system[0].length)}` : words.slice(system[0].length);
  const wish = WISH.exec(words);
  if (wish) return words.slice(wish[0].length);
  const someone = SOMEONE.exec(words);
  if (!someone) return words;
  const [whole, subject = "", not] = someone;
  const rest = words.slice(whole.length);
  const many = /(?:[^s]s|and \w+|people)$/i.test(subject);
  if (/^be /i.test(rest))
    return `Make sure that ${lower(subject)} ${many ? "are" : "is"} ${not ? "never " : ""}${rest.slice(3)}`;
  return not ? `Make sure that ${lower(subject)} cannot ${rest}` : `Let ${lower(subject)} ${rest}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** A name keeps its capital, as does "GET" or "iOS". */
const lower = (text: string) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);
