import { plainText } from "../plain-text.ts";
import { LONGEST_CONTENT } from "./messages.ts";
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
}

export function continues({ source }: Stretch, next: Source): boolean {
  return source === undefined || (source.of === next.of && source.callId === next.callId);
}

/**
 * Adds text to the stretch, and gives the contents that it completed: its lines, as long as there is `room` for so many
 * messages, and from then on blocks of up to 10 KB.
 */
export function addText(stretch: Stretch, source: Source, text: string, room: number): string[] {
  const contents: string[] = [];
  stretch.source = source;
  let from = 0;
  for (let end = text.indexOf("\n"); end >= 0 && contents.length < room; end = text.indexOf("\n", from)) {
    addContents(contents, stretch.rest + text.slice(from, end));
    stretch.rest = "";
    from = end + 1;
  }
  stretch.rest += from === 0 ? text : text.slice(from);
  if (stretch.rest.length > LONGEST_CONTENT) {
    const parts = split(stretch.rest);
    stretch.rest = parts.pop() ?? "";
    for (const part of parts) addContents(contents, part);
  }
  return contents;
}

/** Ends the stretch, and gives what was left of it. */
export function takeRest(stretch: Stretch): string[] {
  const contents: string[] = [];
  addContents(contents, stretch.rest);
  stretch.rest = "";
  stretch.source = undefined;
  return contents;
}

/** Blank lines part paragraphs; they are no messages. */
function addContents(contents: string[], text: string): void {
  if (text === "") return;
  const plain = withoutOuterBreaks(plainText(text));
  if (plain.trim() === "") return;
  contents.push(...split(plain));
}

function withoutOuterBreaks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === 0x0a) from++;
  while (to > from && text.charCodeAt(to - 1) === 0x0a) to--;
  return text.slice(from, to);
}
