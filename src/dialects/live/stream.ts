import { derivedId } from "../../core/ids.ts";
import { type Spoken, speak } from "../spoken.ts";
import { envelope, type Place } from "./envelope.ts";
import { type Fences, finish, noFences, type Piece, scan } from "./fences.ts";
import type { DataOf, Message } from "./messages.ts";

type ContentType = DataOf<"content_block_start">["content_type"];

/** What the deltas of a block are of. In an answer, prose and fenced code are blocks of their own. */
export type Source = "answer" | "code" | "thinking";

/** What the run is saying: a message for each stretch of text, and blocks in it. */
export interface Stream {
  sessionId: string;
  model: string;
  /** Number of the run's next message or block; its id is derived from it. */
  next: number;
  spoken: Spoken;
  message?: { id: string; blocks: number };
  source?: Source;
  block?: { id: string; index: number; language?: string };
  fences: Fences;
}

type InRun = Place & { runId: string };

export function newStream(sessionId: string): Stream {
  return { sessionId, model: "default", next: 0, spoken: { text: "" }, fences: noFences() };
}

export function addDelta(stream: Stream, event: InRun, source: Source, text: string, language?: string): Message[] {
  if (text === "") return [];
  const out: Message[] = [];
  const otherCode = source === "code" && language !== undefined && language !== stream.block?.language;
  if (source !== stream.source || otherCode) {
    endSource(stream, event, out);
    stream.source = source;
  }
  if (source === "answer") {
    speak(stream.spoken, text);
    for (const piece of scan(stream.fences, text)) addPiece(stream, event, piece, out);
  } else {
    if (!stream.block) openBlock(stream, event, source, out, language);
    pushDelta(stream, event, text, out);
  }
  return out;
}

/** Ends the message under way, if any. */
export function endMessage(stream: Stream, event: InRun): Message[] {
  const out: Message[] = [];
  endSource(stream, event, out);
  stream.source = undefined;
  if (stream.message) {
    out.push(envelope(stream.sessionId, event, "message_stop", { message_id: stream.message.id }));
    stream.message = undefined;
  }
  return out;
}

function endSource(stream: Stream, event: InRun, out: Message[]): void {
  if (stream.source === "answer") {
    for (const piece of finish(stream.fences)) addPiece(stream, event, piece, out);
  }
  closeBlock(stream, event, out);
}

function addPiece(stream: Stream, event: InRun, piece: Piece, out: Message[]): void {
  if (piece.is === "text") {
    if (!stream.block) openBlock(stream, event, "text", out);
    pushDelta(stream, event, piece.text, out);
    return;
  }
  closeBlock(stream, event, out, piece.is === "close" ? piece.fence : undefined);
  if (piece.is === "open") openBlock(stream, event, "code", out, piece.language, piece.fence);
}

function openBlock(
  stream: Stream,
  event: InRun,
  content_type: ContentType,
  out: Message[],
  language?: string,
  fence?: string,
): void {
  const { sessionId, model } = stream;
  if (!stream.message) {
    const id = nextId(stream, event);
    stream.message = { id, blocks: 0 };
    const data = { message: { id, role: "assistant" as const, model }, run_id: event.runId };
    out.push(envelope(sessionId, event, "message_start", data));
  }
  const id = nextId(stream, event);
  const index = stream.message.blocks++;
  stream.block = { id, index, language };
  out.push(
    envelope(sessionId, event, "content_block_start", { content_block_id: id, index, content_type, language, fence }),
  );
}

function pushDelta(stream: Stream, event: InRun, text: string, out: Message[]): void {
  const { block, source, sessionId } = stream;
  if (!block) return;
  const type = source === "thinking" ? "thinking_delta" : "text_delta";
  out.push(
    envelope(sessionId, event, "content_block_delta", {
      content_block_id: block.id,
      index: block.index,
      delta: { type, text },
    }),
  );
}

function closeBlock(stream: Stream, event: InRun, out: Message[], fence?: string): void {
  const { block, sessionId } = stream;
  if (!block) return;
  stream.block = undefined;
  out.push(envelope(sessionId, event, "content_block_stop", { content_block_id: block.id, index: block.index, fence }));
}

function nextId(stream: Stream, { runId }: InRun): string {
  return derivedId(runId, String(stream.next++));
}
