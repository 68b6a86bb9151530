import { parse } from "unbash";
import type { CommandLine, Segment } from "../core/tool.ts";
import { hiddenCharacterIn } from "./command-line-characters.ts";
import { runsOf } from "./command-line-opacity.ts";
import { withOrder } from "./command-line-order.ts";
import type { Piece } from "./command-line-pieces.ts";
import { type Found, findPieces } from "./command-line-tree.ts";

const MAX_SEGMENTS = 50;
const MAX_LENGTH = 16 * 1024;
/** The parser's time grows with their square. */
const MAX_BRACES = 500;

export interface ReadCommandLine extends CommandLine {
  segments: Piece[];
}

/** Every simple command in a line, as bash would run it. It never throws: what is not understood is a `problem`. */
export function parseCommandLine(text: string): CommandLine {
  const { segments, ...line } = readCommandLine(text);
  return { ...line, segments: segments.map(({ files: _, ...segment }): Segment => segment) };
}

/** The same with the files that redirects and variables name, those in lines for another shell included. */
export function readCommandLine(text: string): ReadCommandLine {
  const { pieces, problem } = find(text);
  const segments = pieces.map((piece): Piece => {
    const files = [...piece.files];
    const runs = runsOf(piece.words, (inner) => {
      const found = find(inner).pieces;
      files.push(...found.flatMap((each) => each.files));
      return found.map(({ words }) => words);
    });
    return { ...piece, files, ...(runs.length > 0 ? { runs } : {}) };
  });
  return { text, segments: withOrder(segments), ...(problem ? { problem } : {}) };
}

function find(text: string): Found {
  if (text.length > MAX_LENGTH) return { pieces: [], problem: "it is too long to be looked at" };
  if (text.split("{").length > MAX_BRACES) return { pieces: [], problem: "it has too many braces in it" };
  const hidden = hiddenCharacterIn(text);
  if (hidden) return { pieces: [], problem: `it has a character in it that cannot be seen (${hidden})` };
  try {
    return findPieces(parse(text), text, MAX_SEGMENTS);
  } catch {
    return { pieces: [], problem: "it could not be parsed" };
  }
}
