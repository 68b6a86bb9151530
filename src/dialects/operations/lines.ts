import { plainText } from "../../core/plain-text.ts";
import type { BoundedMap } from "../bounded-map.ts";
import { LONGEST_CONTENT } from "./messages.ts";
import { beginsKey, endOfKey, LONGEST_KEY, startOfKeyLine, withoutSecrets } from "./secrets.ts";
import { split } from "./split.ts";
import type { TextOrigins } from "./text-origins.ts";

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
  origins: TextOrigins;
  /** Sources that are printing a private key, and how much of it may be to come: nothing of it is shown until its end. */
  keys: BoundedMap<number>;
}

export function continues({ source }: Stretch, next: Source): boolean {
  return source === undefined || (source.of === next.of && source.callId === next.callId);
}

/** What becomes a message, and the event of the log up to which everything was said then, of itself perhaps only a part. */
export interface Content {
  content: string;
  seq: number;
}

/**
 * Adds the text of an event to the stretch, and gives the contents that it completed: its lines, as long as there is `room` for so
 * many messages, and from then on blocks of up to 10 KB. An answer that is said at once, up to a blank line, stays together.
 */
export function addText(stretch: Stretch, source: Source, { text, seq }: Delta, room: number): Content[] {
  const contents: Content[] = [];
  stretch.source = source;
  if (source.of === "answer" && stretch.rest === "" && room > 0 && isBlock(text)) {
    addContents(contents, stretch, text.trimEnd(), seq);
    return contents;
  }
  let from = 0;
  for (let end = text.indexOf("\n"); end >= 0 && contents.length < room; end = text.indexOf("\n", from)) {
    addContents(contents, stretch, stretch.rest + text.slice(from, end), seq);
    keepRest(stretch, "");
    from = end + 1;
  }
  const added = from === 0 ? text : text.slice(from);
  stretch.rest += added;
  stretch.origins.add(seq, added.length);
  if (stretch.rest.length > LONGEST_CONTENT) addLong(contents, stretch, seq);
  return contents;
}

interface Delta {
  text: string;
  seq: number;
}

/** Of what waited only that is left. */
function keepRest(stretch: Stretch, rest: string, said = Number.POSITIVE_INFINITY): void {
  stretch.rest = rest;
  stretch.origins.said(said, rest.length);
}

/** What is over 10 KB goes out in parts; the last one waits for more, unless it ends within a key, of which the rest is not shown. */
function addLong(contents: Content[], stretch: Stretch, seq: number): void {
  const whole = endOfWords(stretch.rest);
  const text = afterKey(stretch, plainText(stretch.rest.slice(0, whole)));
  const shown = withoutSecrets(text);
  const parts = split(shown);
  const waits = noteKey(stretch, text) ? "" : (parts.pop() ?? "");
  const { first = seq } = stretch.origins;
  const said = shown === text ? text.length - waits.length : 0; // what stands for a secret may be longer than that
  keepRest(stretch, waits + stretch.rest.slice(whole), said);
  const last = stretch.origins.first ?? seq;
  for (const [index, part] of parts.entries()) addShown(contents, part, first, index < parts.length - 1 ? first : last);
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

/** Ends the stretch at an event, and gives what was left of it. A key that it was within goes on when its source does. */
export function takeRest(stretch: Stretch, seq: number): Content[] {
  const contents: Content[] = [];
  addContents(contents, stretch, stretch.rest, seq);
  keepRest(stretch, "");
  stretch.source = undefined;
  return contents;
}

/** What waited and was ended by an event. */
function addContents(contents: Content[], stretch: Stretch, text: string, seq: number): void {
  if (text === "") return;
  const plain = afterKey(stretch, plainText(text));
  noteKey(stretch, plain);
  addShown(contents, withoutSecrets(plain), stretch.origins.first ?? seq, seq);
}

/** Blank lines part paragraphs; they are no messages. Until the last part is said, something of the first event may be missing. */
function addShown(contents: Content[], text: string, first: number, last: number): void {
  const shown = withoutOuterBreaks(text);
  if (shown.trim() === "") return;
  const parts = split(shown);
  for (const [index, content] of parts.entries()) {
    contents.push({ content, seq: index < parts.length - 1 ? first : last });
  }
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
