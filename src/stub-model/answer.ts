import type { OfferedTool } from "./conversation.ts";

export interface ToolCall {
  tool: OfferedTool;
  /** The arguments of a function; the text that any other takes. */
  input: Record<string, unknown> | string;
}

export type TextPart = { kind: "say" | "think"; text: string };

export type Part = TextPart | { kind: "call"; call: ToolCall } | { kind: "wait"; ms: number } | { kind: "cut" };

/** What the model answers: parts in order, or an error of the wire. */
export type Answer = { parts: Part[] } | { status: number; message: string };

/** Neighbours of one kind, which a wire tells as one; the waits among them stay where they are. */
export type Block =
  | { kind: "say" | "think"; text: string; beats: (string | { waitMs: number })[] }
  | { kind: "call"; call: ToolCall }
  | { kind: "wait"; ms: number }
  | { kind: "cut" };

const isText = (part: Part): part is TextPart => part.kind === "say" || part.kind === "think";

export function blocksOf(parts: Part[]): Block[] {
  const blocks: Block[] = [];
  let waits: { kind: "wait"; ms: number }[] = [];
  for (const part of parts) {
    if (part.kind === "wait") {
      waits.push(part);
      continue;
    }
    const last = blocks.at(-1);
    if (isText(part) && last?.kind === part.kind) {
      last.beats.push(...waits.map(({ ms }) => ({ waitMs: ms })), ...piecesOf(part.text));
      last.text += part.text;
    } else blocks.push(...waits, isText(part) ? { ...part, beats: piecesOf(part.text) } : part);
    waits = [];
  }
  return [...blocks, ...waits];
}

const LETTERS_OF_A_PIECE = 8;
/** A large file is streamed in larger pieces, not for minutes. */
const MOST_PIECES = 200;

/** As a model streams it: a few letters at a time, none of them torn. */
export function piecesOf(text: string): string[] {
  const size = Math.max(LETTERS_OF_A_PIECE, Math.ceil(text.length / MOST_PIECES));
  return text.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
}

export function joined(parts: Part[], kind: "say" | "think"): string {
  return parts.map((part) => (part.kind === kind ? part.text : "")).join("");
}

export const inputText = ({ input }: ToolCall): string => (typeof input === "string" ? input : JSON.stringify(input));
