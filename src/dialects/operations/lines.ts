import type { BoundedMap } from "../bounded-map.ts";
import { plainText } from "../plain-text.ts";
import { LONGEST_CONTENT } from "./messages.ts";
import { beginsKey, endOfKey, LONGEST_KEY, startOfKeyLine, withoutSecrets } from "./secrets.ts";
import { split } from "./split.ts";

/** Where text comes from: as long as the source is the same, it is one stretch. */
export interface Source {
  type: "thinking" | "execution";
  of: "thinking" | "answer" | "code" | "tool" | "note";
  /** The tool call whose output it is. */
  callId?: string;
}

/** The text that has come since the last line end, or since lines are coalesced: never much more than 10 KB. */
export interface Stretch {
  source?: Source;
  rest: string;
  /** Sources that are printing a private key, and how much of it may be to come: nothing of it is shown until its end. */
  keys: BoundedMap<number>;
}

export function continues({ source }: Stretch, next: Source): boolean {
  return source === undefined || (source.of === next.of && source.callId === next.callId);
}

/**
 * Adds text to the stretch, and gives the contents that it completed: its lines, as long as there is `room` for so many
 * messages, and from then on blocks of up to 10 KB. An answer that is said at once, up to a blank line, stays together.
 */
export function addText(stretch: Stretch, source: Source, text: string, room: number): string[] {
  const contents: string[] = [];
  stretch.source = source;
  if (source.of === "answer" && stretch.rest === "" && room > 0 && isBlock(text)) {
    addContents(contents, stretch, text.trimEnd());
    return contents;
  }
  let from = 0;
  for (let end = text.indexOf("\n"); end >= 0 && contents.length < room; end = text.indexOf("\n", from)) {
    addContents(contents, stretch, stretch.rest + text.slice(from, end));
    stretch.rest = "";
    from = end + 1;
  }
  stretch.rest += from === 0 ? text : text.slice(from);
  if (stretch.rest.length > LONGEST_CONTENT) addLong(contents, stretch);
  return contents;
}

/** What is over 10 KB goes out in parts; the last one waits for more, unless it ends within a key, of which the rest is not shown. */
function addLong(contents: string[], stretch: Stretch): void {
  const whole = endOfWords(stretch.rest);
  const text = afterKey(stretch, plainText(stretch.rest.slice(0, whole)));
  const parts = split(withoutSecrets(text));
  const waits = noteKey(stretch, text) ? "" : (parts.pop() ?? "");
  stretch.rest = waits + stretch.rest.slice(whole);
  for (const part of parts) addShown(contents, part);
}

/** No secret is longer, so in a longer word there is none to be cut. */
const LONGEST_WORD = 4000;

/** The end of the last word that is whole, so that what looks like a secret is seen whole before the text is cut. */
function endOfWords(text: string): number {
  const last = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n"));
  const end = text.length - last > LONGEST_WORD ? text.length : last + 1;
  return Math.min(end, startOfKeyLine(text) ?? end);
}

const isBlock = (text: string) => text.endsWith("\n\n") && !text.trimEnd().includes("\n\n");

/** Ends the stretch, and gives what was left of it. A key that it was within goes on when its source does. */
export function takeRest(stretch: Stretch): string[] {
  const contents: string[] = [];
  addContents(contents, stretch, stretch.rest);
  stretch.rest = "";
  stretch.source = undefined;
  return contents;
}

function addContents(contents: string[], stretch: Stretch, text: string): void {
  if (text === "") return;
  const plain = afterKey(stretch, plainText(text));
  noteKey(stretch, plain);
  addShown(contents, withoutSecrets(plain));
}

/** Blank lines part paragraphs; they are no messages. */
function addShown(contents: string[], text: string): void {
  const shown = withoutOuterBreaks(text);
  if (shown.trim() !== "") contents.push(...split(shown));
}

const nameOf = ({ source }: Stretch) => `${source?.of} ${source?.callId}`;

/** The text without what is of the key that its source is printing. */
function afterKey(stretch: Stretch, text: string): string {
  const name = nameOf(stretch);
  const left = stretch.keys.take(name);
  if (left === undefined) return text;
  const end = endOfKey(text);
  if (end === undefined && text.length < left) stretch.keys.set(name, left - text.length);
  return text.slice(end ?? left);
}

/** Whether a key begins in the text that does not end there. */
function noteKey(stretch: Stretch, text: string): boolean {
  const begins = beginsKey(text);
  if (begins) stretch.keys.set(nameOf(stretch), LONGEST_KEY);
  return begins;
}

function withoutOuterBreaks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === 0x0a) from++;
  while (to > from && text.charCodeAt(to - 1) === 0x0a) to--;
  return text.slice(from, to);
}
