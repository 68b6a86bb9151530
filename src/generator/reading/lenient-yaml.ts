import { Composer, type CST, Lexer, Parser } from "yaml";

const deepest = 100;

/** The documents of a text, or what is wrong with it and at which character. */
export type LenientResult = { documents: unknown[] } | { position: number; reason: string };

/** Reads tags of one's own and some indentation that the usual parser refuses, at several seconds per megabyte. */
export function parseLenientYaml(text: string): LenientResult {
  const tokens = tokensOf(text);
  if (!tokens) return { position: 0, reason: "it is nested too deeply" };
  const composer = new Composer({ schema: "core", merge: true, uniqueKeys: false, logLevel: "silent" });
  const documents = [...composer.compose(tokens)];
  const error = documents.flatMap((document) => document.errors)[0];
  if (error) return { position: error.pos[0], reason: error.message };
  return { documents: documents.map((document) => document.toJS({ maxAliasCount: 1000 })) };
}

/** The composer recurses, and running out of stack inside a regular expression ends the whole process: depth is checked before. */
function tokensOf(text: string): CST.Token[] | undefined {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > deepest) return undefined;
  }
  tokens.push(...parser.end());
  return tokens;
}
