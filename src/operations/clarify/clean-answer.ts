import { LONGEST_OWN_WORDS as LONGEST } from "../../core/asks.ts";
import { leadingId } from "../spec-document-ids.ts";

/** An answer as words of one line that no structure of Markdown can come out of. */
export function cleanAnswer(answer: string): string {
  const flat = answer
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/\[/g, "(")
    .replace(/\]/g, ")")
    .replace(/`/g, "'")
    .replace(/\|/g, "/")
    .replace(/~{2,}|_{2,}|\*{2,}/g, "")
    .replace(/(^|\s)[*_]+(?=\S)|(?<=\S)[*_]+(?=\s|$)/g, "$1")
    .replace(/<(?=[!/?a-z])/gi, "< ")
    .replace(/-->/g, "->")
    .replace(/NEEDS CLARIFICATION/g, "needs clarification")
    .replace(/(?:→|->|=>|⇒)(\s*A(?:nswer)?:)/gi, "$1")
    .replace(/^[\s#>+=|*-]+(?=\s|#|$)|^#+/, "")
    .replace(/^\s*(\d{1,9})[.)](?=\s|$)/, "($1)")
    .replace(/\s+/g, " ")
    .trim();
  return flat.length <= LONGEST ? flat : `${flat.slice(0, LONGEST).toWellFormed().trimEnd()}…`;
}

/** Without the full stop, for the middle of a sentence. */
export function asPhrase(answer: string): string {
  return lowered(answer.replace(/[.;,\s]+$/, ""));
}

export function asSentence(answer: string): string {
  const upper = answer.charAt(0).toUpperCase() + answer.slice(1);
  const whole = /[.!?…]$|^\d{1,9}$/.test(upper); // a number with a full stop would begin a list
  return withIdQuoted(whole ? upper : `${upper}.`);
}

/** At the start of a line or a cell, an id of the answer would make one more requirement; in quotes it is a word. */
export function withIdQuoted(words: string): string {
  const id = leadingId(`${words}:`)?.id;
  return id === undefined ? words : words.replace(id, `"${id}"`);
}

/** Words that begin with a capital only because they begin the answer. */
const COMMON =
  /^(?:A|An|The|Only|No|Yes|All|Any|Every|Each|Up|At|Under|Within|After|Before|Until|Email|Single|Members|Everyone|Administrators|Users|One|Several|Keep|Show|It|Reuse|Magic|Push|Immediately|Once|Not|By|In|On|With|Without|Nothing|Leave|Do|Until|They|Web|Desktop|Other|Staff|End|Left|As|What|Everything|Nobody|Each|More|None|Never)(?=[\s,]|$)/;

function lowered(text: string): string {
  return COMMON.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
