import { expect, test } from "vitest";
import { boundedAnswer } from "./bounded-answer.ts";
import type { Piece } from "./model-stream.ts";

const said = (text: string): Piece => ({ kind: "say", text });
const thought = (text: string): Piece => ({ kind: "think", text });
const end: Piece = { kind: "end", why: "stop", input: 1, output: 2 };

async function bounded(pieces: Piece[], most: number) {
  let isClosed = false;
  async function* source() {
    try {
      yield* pieces;
    } finally {
      isClosed = true;
    }
  }
  const given: Piece[] = [];
  for await (const piece of boundedAnswer(source(), most)) given.push(piece);
  return { given, isClosed };
}

test("an answer of no more than the most is given as it is", async () => {
  const pieces = [thought("one"), said("two"), end];
  expect(await bounded(pieces, 6)).toEqual({ given: pieces, isClosed: true });
});

test("a longer one ends as one that came to its most, with no letter torn, and is not listened to any more", async () => {
  const given = [thought("one"), said("a"), { kind: "end", why: "length" }];
  expect(await bounded([thought("one"), said("a😀b"), said("more"), end], 5)).toEqual({ given, isClosed: true });
});
