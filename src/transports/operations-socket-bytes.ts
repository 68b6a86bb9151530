import { constants, deflateRawSync } from "node:zlib";
import { DEFLATE_FROM_BYTES } from "./http/websocket-deflate.ts";

/** What of a frame is sent. */
export interface Sent {
  text: string;
}

const TEXT = 0x81;
const COMPRESSED_TEXT = 0xc1;
/** Of one list. Level 1 takes 4 to 8 ms for so much, and everyone else waits meanwhile; what is beyond goes as it is. */
const MOST_COMPRESSED_BYTES = 256 * 1024;
/** With which every compressed message ends, and which RFC 7692 leaves out. */
const TAIL_BYTES = 4;

const plain = new WeakMap<readonly Sent[], Buffer>();
const compressed = new WeakMap<readonly Sent[], Buffer>();

/**
 * Messages as WebSocket frames of a server, which are not masked, all in one piece. All who are given the same list share the bytes,
 * which are made once; large messages are compressed for those who agreed to it, each by itself.
 */
export function socketBytes(messages: readonly Sent[], deflate = false): Buffer {
  const made = deflate ? compressed : plain;
  let bytes = made.get(messages);
  if (!bytes) {
    bytes = deflate ? compressedFrames(messages) : plainFrames(messages);
    made.set(messages, bytes);
  }
  return bytes;
}

function plainFrames(messages: readonly Sent[]): Buffer {
  const lengths = messages.map(({ text }) => Buffer.byteLength(text));
  const total = lengths.reduce((sum, length) => sum + headLength(length) + length, 0);
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  messages.forEach(({ text }, index) => {
    at = writeHead(bytes, at, TEXT, lengths[index] ?? 0);
    at += bytes.write(text, at);
  });
  return bytes;
}

function compressedFrames(messages: readonly Sent[]): Buffer {
  let left = MOST_COMPRESSED_BYTES;
  const parts = messages.flatMap(({ text }) => {
    const payload = Buffer.from(text);
    if (payload.length <= DEFLATE_FROM_BYTES || payload.length > left) return frameParts(payload, payload);
    left -= payload.length;
    return frameParts(payload, deflated(payload));
  });
  return Buffer.concat(parts);
}

function frameParts(payload: Buffer, smaller: Buffer): Buffer[] {
  const [first, body] = smaller.length < payload.length ? [COMPRESSED_TEXT, smaller] : [TEXT, payload];
  const head = Buffer.allocUnsafe(headLength(body.length));
  writeHead(head, 0, first, body.length);
  return [head, body];
}

function deflated(payload: Buffer): Buffer {
  const bytes = deflateRawSync(payload, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH });
  return bytes.subarray(0, bytes.length - TAIL_BYTES);
}

function headLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

function writeHead(bytes: Buffer, at: number, first: number, length: number): number {
  bytes[at] = first;
  if (length < 126) {
    bytes[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    bytes[at + 1] = 126;
    return bytes.writeUInt16BE(length, at + 2);
  }
  bytes[at + 1] = 127;
  return bytes.writeBigUInt64BE(BigInt(length), at + 2);
}
