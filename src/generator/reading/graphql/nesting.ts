import { Lexer, type Source, TokenKind } from "graphql";

const deepest = 100;
const opening = new Set<string>([TokenKind.BRACKET_L, TokenKind.BRACE_L, TokenKind.PAREN_L]);
const closing = new Set<string>([TokenKind.BRACKET_R, TokenKind.BRACE_R, TokenKind.PAREN_R]);

/** Whether a schema nests so deeply that its parser, which recurses, would run out of stack. Real ones have a few levels. */
export function nestsTooDeeply(source: Source): boolean {
  const lexer = new Lexer(source);
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (opening.has(token.kind)) depth += 1;
    else if (closing.has(token.kind)) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
