import { cut } from "../../core/fit-for-log.ts";
import type { Piece } from "./model-stream.ts";

const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * What a model says, with what it thinks, as far as anybody could use it. One that goes on beyond that is told as one that came to the most
 * that it may say at once, and is listened to no longer, which closes its connection.
 */
export async function* boundedAnswer(
  pieces: AsyncIterable<Piece>,
  most = MOST_CHARACTERS,
): AsyncGenerator<Piece, void> {
  let left = most;
  for await (const piece of pieces) {
    if (piece.kind === "end") {
      yield piece;
      continue;
    }
    const text = cut(piece.text, left);
    left -= piece.text.length;
    if (text !== "") yield { ...piece, text };
    if (left >= 0) continue;
    yield { kind: "end", why: "length" };
    return;
  }
}
