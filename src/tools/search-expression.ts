import { DragomanError, messageOf } from "../core/errors.ts";

export interface Query {
  query: string;
  regex: boolean;
  caseSensitive: boolean;
  wholeWord: boolean;
}

/** One line at a time is matched against it. */
export function searchExpression({ query, regex, caseSensitive, wholeWord }: Query): RegExp {
  const source = regex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const flags = caseSensitive ? "" : "i";
  // Where Unicode mode does not take it, such as for a needless backslash, the plain one may.
  const unicode = compiled(source, `${flags}u`);
  const plain = unicode instanceof RegExp ? unicode : compiled(source, flags);
  if (!(plain instanceof RegExp)) {
    throw new DragomanError("invalid_tool_args", `The query is no regular expression: ${messageOf(plain)}.`);
  }
  if (!wholeWord) return plain;
  const letter = plain.unicode ? "[\\p{L}\\p{M}\\p{N}_]" : "\\w";
  return new RegExp(`(?<!${letter})(?:${source})(?!${letter})`, plain.flags);
}

function compiled(source: string, flags: string): RegExp | Error {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}
