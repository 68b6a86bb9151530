const ESC = "\u001b";
const BEL = "\u0007";
const ST = "\u009c";
/** Stands for what is not shown. */
const MARK = "\ufffd";

// A string sequence (OSC, DCS, SOS, PM, APC) that nothing ends is text someone wanted hidden: it loses its introducer only.
// Its content stops at any control, so that a line is read the same way by itself as within the whole text.
const stringSequence = `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])\\P{Cc}*(?:${BEL}|${ESC}\\\\|${ST})`;
const controlSequence = `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
const otherEscape = `${ESC}[ -/]*[0-~]`;
const escapes = new RegExp(`${stringSequence}|${controlSequence}|${otherEscape}`, "gu");

/**
 * Controls but for LF and TAB, lone surrogates, what changes the direction of text, and what takes no room in it. U+FE0F stays,
 * which makes an emoji of the sign before it.
 */
const unseen = "[^\\P{Cc}\\n\\t]|[\\p{Cs}\\p{Bidi_Control}[\\p{Default_Ignorable_Code_Point}--\\ufe0f]\\ufff9-\\ufffb]";
const anyUnseen = new RegExp(unseen, "v");
const eachUnseen = new RegExp(unseen, "gv");

/** Text as a person may be shown it: nothing in it moves a cursor, hides, or reads in another order than it is written. */
export function plainText(text: string): string {
  if (!anyUnseen.test(text)) return text;
  return text
    .replace(/\r\n?/g, "\n")
    .replace(escapes, "")
    .replace(eachUnseen, (found) => (isSurrogate(found) ? MARK : ""));
}

/** A name on one line. What may not be shown is marked and not left out, or it would be the name of something else. */
export function plainName(name: string): string {
  return name.replace(/[\n\t\u2028\u2029]/g, MARK).replace(eachUnseen, MARK);
}

/** Plain text for every string within a value, names of fields included. */
export function plainValue(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [plainText(name), plainValue(inner)]));
}

function isSurrogate(found: string): boolean {
  const unit = found.charCodeAt(0);
  return found.length === 1 && unit >= 0xd800 && unit <= 0xdfff;
}
