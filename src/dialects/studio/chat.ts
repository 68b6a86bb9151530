import type { EventOf, RunResult } from "../../core/events.ts";
import { type Block, fenced } from "../block.ts";

/** What a chat has said. Its answer is Markdown, so the code within it stands between fences. */
export interface Chat {
  /** The code so far, for a result that does not have it. It goes out in one message, as that of a result would. */
  blocks: Block<"code">[];
  /** How long all of it is. */
  length: number;
  /** Whether the last block is still open. */
  inCode: boolean;
  atLineStart: boolean;
}

/** What is to come is not known when code begins, so this is longer than the fences that are usual within code. */
const FENCE = "````";

export function newChat(): Chat {
  return { blocks: [], length: 0, inCode: false, atLineStart: true };
}

/** The most code that is kept; of what is longer only the chunks go out. */
const MOST_CODE = 2 * 1024 * 1024;

/** Takes a delta, and gives the chunks that it makes. */
export function addDelta(chat: Chat, event: EventOf<"text.delta">): string[] {
  const { text, of, language } = event;
  if (text === "") return [];
  const last = chat.inCode ? chat.blocks.at(-1) : undefined;
  const goesOn = last && of === "code" && (language ?? last.language) === last.language;
  const chunks = goesOn ? [] : closeFence(chat);
  if (of === "code") chat.length += text.length;
  if (goesOn && chat.length <= MOST_CODE) last.text += text;
  else if (!goesOn && of === "code") chunks.push(openFence(chat, event));
  chunks.push(text);
  chat.atLineStart = text.endsWith("\n");
  return chunks;
}

function openFence(chat: Chat, { text, at, language = "" }: EventOf<"text.delta">): string {
  if (chat.length > MOST_CODE) chat.blocks = [];
  chat.blocks.push({ kind: "code", text, at, language });
  chat.inCode = true;
  return `${chat.atLineStart ? "" : "\n"}${FENCE}${language}\n`;
}

/** Ends the code under way. */
export function closeFence(chat: Chat): string[] {
  if (!chat.inCode) return [];
  const chunk = `${chat.atLineStart ? "" : "\n"}${FENCE}\n`;
  chat.inCode = false;
  chat.atLineStart = true;
  return [chunk];
}

/** The answer, and after it the code that it does not have. */
export function chatMessage({ text, code }: RunResult, { blocks, length }: Chat): string {
  const kept = length <= MOST_CODE ? blocks : []; // a part of it would be taken for the whole
  const made = code === undefined ? kept : [{ kind: "code", text: code, at: 0, language: blocks[0]?.language ?? "" }];
  const missing = made.filter((block) => !text.includes(block.text.trim()));
  if (missing.length === 0) return text;
  return [text.trimEnd(), ...missing.map(fenced)].filter((part) => part !== "").join("\n\n");
}
