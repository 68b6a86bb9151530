import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { type Piece, pieceOfCommand, pieceOfRedirects } from "./command-line-pieces.ts";
import { readWord } from "./command-line-word.ts";

export interface Found {
  pieces: Piece[];
  problem?: string;
}

interface Visit {
  node: SyntaxNode;
  /** What the positions of the node count in. */
  source: string;
  /** Why the commands in it are opaque. */
  inherited?: string;
}

/** What does something of its own and is no simple command. */
const ownReason: Partial<Record<SyntaxNode["type"], string>> = {
  ArithmeticFor: "it has arithmetic in it",
  ArithmeticCommand: "it has arithmetic in it",
  Function: "it defines a function",
  Coproc: "it runs in the background",
};

/** Every simple command in the tree, in the order of the text, and what else in it does something. Ends at `most` of them. */
export function findPieces(script: ParsedScript, source: string, most: number): Found {
  const pieces: Piece[] = [];
  const stack: Visit[] = [{ node: script, source }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const problem = problemOf(visit.node);
    if (problem) return { pieces, problem };
    const within = inside(visit);
    const piece = pieceOf(visit.node, within);
    if (piece) pieces.push(piece);
    if (pieces.length > most) return { pieces: pieces.slice(0, most), problem: `it has more than ${most} commands` };
    const children: Visit[] = [];
    forEachChild(visit.node, (node) => children.push({ ...within, node }));
    // A stack and not a recursion, since sums can be nested by the thousand.
    stack.push(...children.reverse());
  }
  return { pieces };
}

function problemOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case "Script":
      return node.errors?.length ? (node.errors[0]?.message ?? "a syntax error").replace(/\.$/, "") : undefined;
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script ? undefined : "a command in it could not be read";
    case "ExtendedGlob":
      // With other settings than the parser's, `!(id)` is a command.
      return "it has a pattern whose meaning depends on the shell's settings";
    case "ParameterExpansion":
      return node.operation?.type === "Unknown" ? "it has an unknown kind of variable in it" : undefined;
    default:
      return undefined;
  }
}

/** What holds for the children of a node. */
function inside({ node, source, inherited }: Visit): Visit {
  if (node.type === "Script" && node.source !== undefined) return { node, source: node.source, inherited };
  if (node.type === "Statement" && node.background) return { node, source, inherited: "it runs in the background" };
  if (node.type === "Coproc" || node.type === "Function") return { node, source, inherited: ownReason[node.type] };
  return { node, source, inherited };
}

function pieceOf(node: SyntaxNode, { source, inherited }: Visit): Piece | undefined {
  if (!("pos" in node)) return undefined;
  const text = source.slice(node.pos, node.end);
  switch (node.type) {
    case "Command":
      return pieceOfCommand(node, text, inherited);
    case "Redirected": {
      const piece = pieceOfRedirects(node.redirects, text);
      return piece.opaque ? piece : undefined;
    }
    case "TestCommand":
      return { text, words: text.split(/\s+/), opaque: inherited ?? opacityOfTest(text), files: [] };
    case "Case":
      return { text, words: ["case", node.word.value], opaque: inherited ?? readWord(node.word).opaque, files: [] };
    case "For":
    case "Select": {
      const words = ["for", node.name.value, ...(node.wordlist ?? []).map(({ value }) => value)];
      return { text, words, opaque: "it sets a variable", files: [] };
    }
    default: {
      const opaque = ownReason[node.type];
      return opaque ? { text, words: [text], opaque, files: [] } : undefined;
    }
  }
}

/** `[[ a -eq b ]]` evaluates both sides, commands in them included, also those in quotes. */
const evaluating = ["-v", "-R", "-eq", "-ne", "-lt", "-gt", "-le", "-ge"];

function opacityOfTest(text: string): string | undefined {
  const isPlain = (word: string) => /^([\w./-]+|==?|!=?|&&|\|\|)$/.test(word) && !evaluating.includes(word);
  const words = text.split(/\s+/);
  return words.slice(1, -1).every(isPlain) && words.at(-1) === "]]" ? undefined : "it evaluates an expression";
}
