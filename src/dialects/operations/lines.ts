import { plainText } from "../plain-text.ts";
import { LONGEST_CONTENT } from "./messages.ts";
import { beginsKey, endsKey, withoutSecrets } from "./secrets.ts";
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
  /** A private key is being printed, line by line: nothing of it is shown until its end. */
  inKey?: boolean;
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
  if (stretch.rest.length > LONGEST_CONTENT) {
    const whole = endOfWords(stretch.rest);
    const parts = split(withoutSecrets(plainText(stretch.rest.slice(0, whole))));
    stretch.rest = (parts.pop() ?? "") + stretch.rest.slice(whole);
    for (const part of parts) addContents(contents, stretch, part);
  }
  return contents;
}

/** No secret is longer, so in a longer word there is none to be cut. */
const LONGEST_WORD = 4000;

/** The end of the last word that is whole, so that what looks like a secret is seen whole before the text is cut. */
function endOfWords(text: string): number {
  const last = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n"));
  return text.length - last > LONGEST_WORD ? text.length : last + 1;
}

const isBlock = (text: string) => text.endsWith("\n\n") && !text.trimEnd().includes("\n\n");

/** Ends the stretch, and gives what was left of it. */
export function takeRest(stretch: Stretch): string[] {
  const contents: string[] = [];
  addContents(contents, stretch, stretch.rest);
  stretch.rest = "";
  stretch.source = undefined;
  stretch.inKey = false;
  return contents;
}

/** Blank lines part paragraphs; they are no messages. */
function addContents(contents: string[], stretch: Stretch, text: string): void {
  if (text === "") return;
  const plain = plainText(text);
  if (stretch.inKey) {
    stretch.inKey = !endsKey(plain);
    return;
  }
  stretch.inKey = beginsKey(plain);
  const shown = withoutOuterBreaks(withoutSecrets(plain));
  if (shown.trim() !== "") contents.push(...split(shown));
}

function withoutOuterBreaks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === 0x0a) from++;
  while (to > from && text.charCodeAt(to - 1) === 0x0a) to--;
  return text.slice(from, to);
}
