// The same as src/core/plain-text.ts, which a browser cannot load; a test holds the two together.

const ESC = "\u001b";
const BEL = "\u0007";
const ST = "\u009c";

const stringSequence = `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])\\P{Cc}*(?:${BEL}|${ESC}\\\\|${ST})`;
const controlSequence = `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
const otherEscape = `${ESC}[ -/]*[0-~]`;
const escapes = new RegExp(`${stringSequence}|${controlSequence}|${otherEscape}`, "gu");
const unseen = "[^\\P{Cc}\\n\\t]|[\\p{Cs}\\p{Bidi_Control}[\\p{Default_Ignorable_Code_Point}--\\ufe0f]\\ufff9-\\ufffb]";
const anyUnseen = new RegExp(unseen, "v");
const eachUnseen = new RegExp(unseen, "gv");

/** Text as a person may be shown it: nothing in it hides, or reads in another order than it is written. */
export function plainText(text) {
  if (!anyUnseen.test(text)) return text;
  return text
    .replace(/\r\n?/g, "\n")
    .replace(escapes, "")
    .replace(eachUnseen, (found) => (isSurrogate(found) ? "\ufffd" : ""));
}

function isSurrogate(found) {
  const unit = found.charCodeAt(0);
  return found.length === 1 && unit >= 0xd800 && unit <= 0xdfff;
}
