import type { Frame, NumberedFrame } from "../../dialects/dialect.ts";
import { encodeEvent } from "../sse.ts";

/** What of a frame is sent. What the connection itself says has no number and so no id: a resume does not begin after it. */
export type Sent = Pick<Frame, "event" | "text"> & Partial<Pick<NumberedFrame, "seq" | "k">>;

const made = new WeakMap<Sent[], Buffer>();

/** Frames as they are sent. All who are given the same list share the bytes, which are made once. */
export function sseBytes(frames: Sent[]): Buffer {
  let bytes = made.get(frames);
  if (!bytes) {
    bytes = Buffer.from(frames.map(sseText).join(""));
    made.set(frames, bytes);
  }
  return bytes;
}

function sseText({ seq, k, event, text }: Sent): string {
  return encodeEvent({ id: seq === undefined ? undefined : `${seq}.${k}`, event, data: text });
}
