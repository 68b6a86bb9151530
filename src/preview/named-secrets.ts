import { MASK } from "../core/redactor.ts";
import { isSecretName } from "./secret-names.ts";

// What stands under a name for secrets, found by patterns and not by reading the text: it may be cut off anywhere, and be in several formats at
// once, such as JSON in a string of JSON. In doubt more is masked.

/** The text with the values of such names masked, in JSON, forms, addresses, XML, YAML and the like, and the user info of addresses. */
export function withoutNamedSecrets(text: string, isCut: boolean): string {
  const known = isCut ? text.replace(CUT_HOST, "$1") : text;
  const bare = known.replace(USER_INFO, `$1${MASK}@`);
  return pairsMasked(nextTo(nextTo(bare, ELEMENT), FORM_PART));
}

/** Slashes may be escaped in JSON. */
const USER_INFO = /(:(?:\\{0,15}\/){2})[^\s/?#"'<>\\]+@/g;
/** What may be user info, of which the end is not seen. */
const CUT_HOST = /(:(?:\\{0,15}\/){2})[^\s/?#"'<>\\]+$/;
const ELEMENT = /(<(?:[\w.-]{1,100}:)?([\w.-]{1,100})(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?)([^\s<\]][^<\]]*)/g;
const FORM_PART = /(\bname="([^"\r\n]{1,100})"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)([\s\S]+?)(?=\r?\n--|$)/g;

const nextTo = (text: string, pattern: RegExp) =>
  text.replace(pattern, (whole, before: string, name: string) => (isSecretName(name) ? before + MASK : whole));

/** A name in quotes, or a bare one, before what it is the name of. Within a string of JSON the quotes are escaped, once for each level. */
const NAMED = /(?:(\\{0,15}["'])([^"'\\\r\n]{1,100})\1|([\w$.%+-]{1,100})\]?)\s*([:=])\s*/g;

function pairsMasked(text: string): string {
  const named = new RegExp(NAMED);
  let told = "";
  let from = 0;
  for (let found = named.exec(text); found; found = named.exec(text)) {
    const [, , quoted, bare, sign] = found;
    if (!isSecretName(quoted ?? bare ?? "")) continue;
    const at = named.lastIndex;
    const { shown, end } = maskedValue(text, at, sign === "=" ? ASSIGNED : SAID);
    told += text.slice(from, at) + shown;
    from = end;
    named.lastIndex = end;
  }
  return told + text.slice(from);
}

const QUOTE = /\\{0,15}["']/y;
const NO_SECRET = /(?:true|false|null)\b/y;
/** Of values without quotes: in a form or an address, and after a colon, where it may have blanks. */
const ASSIGNED = /[^\s&"'<>\\]+/y;
const SAID = /[^\r\n,"'<>{}[\]()&\\]+/y;

function maskedValue(text: string, at: number, bare: RegExp): { shown: string; end: number } {
  const quote = matchAt(QUOTE, text, at);
  if (quote !== "") {
    const { contentEnd, end } = quoted(text, at, quote);
    const isEmpty = contentEnd === at + quote.length;
    return { shown: quote + (isEmpty ? "" : MASK) + text.slice(contentEnd, end), end };
  }
  const plain = matchAt(NO_SECRET, text, at);
  if (plain !== "") return { shown: plain, end: at + plain.length };
  if (bare === SAID && /[{[]/.test(text.charAt(at))) return { shown: MASK, end: containerEnd(text, at) };
  const value = matchAt(bare, text, at);
  return { shown: value && MASK, end: at + value.length };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Where the text in quotes that begins there ends, before and behind its last quote; at the end of all, where that is cut off. */
function quoted(text: string, at: number, quote: string): { contentEnd: number; end: number } {
  const [sign, from, level] = [quote.slice(-1), at + quote.length, levelOf(quote.length - 1)];
  for (let next = text.indexOf(sign, from); next >= 0; next = text.indexOf(sign, next + 1)) {
    let first = next;
    while (first > from && text[first - 1] === "\\") first--;
    const found = levelOf(next - first);
    // The other backslashes before it are the end of the content.
    if (found <= level) return { contentEnd: Math.max(from, next - (2 ** found - 1)), end: next + 1 };
  }
  return { contentEnd: text.length, end: text.length };
}

/** Within how many strings a quote with so many backslashes before it is one: 0 for none, 1 for one, 2 for three, since each doubles them and adds one. */
function levelOf(backslashes: number): number {
  let level = 0;
  for (let rest = backslashes; rest % 2 === 1; rest = (rest - 1) / 2) level++;
  return level;
}

function containerEnd(text: string, at: number): number {
  const marks = /\\{0,15}"|[{}[\]]/g;
  marks.lastIndex = at;
  let depth = 0;
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [mark] = found;
    if (mark.endsWith('"')) marks.lastIndex = quoted(text, found.index, mark).end;
    else depth += "{[".includes(mark) ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}
