import picomatch from "picomatch";
import { DragomanError } from "../core/errors.ts";
import { boundedRegex, type FindMatches } from "./bounded-regex.ts";

/**
 * A pattern for paths from some folder: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Names that begin with a dot are like any other. It is
 * made into a regular expression, so it is bounded as one.
 */
export function pathGlob(pattern: string): FindMatches {
  const text = pattern.replace(/^(\.\/)+/, "");
  if (text.startsWith("/") || text.split("/").includes("..")) {
    throw new DragomanError(
      "invalid_tool_args",
      `The pattern ${pattern} leads out of the folder. Give a pattern for what is in it, and the folder as path.`,
    );
  }
  return boundedRegex(expressionOf(text));
}

function expressionOf(text: string): RegExp {
  try {
    const expression = picomatch.makeRe(text, { dot: true, nonegate: true });
    if (expression) return expression;
  } catch {
    // It says no more than that.
  }
  throw new DragomanError("invalid_tool_args", `The pattern ${text} is none. Use one such as src/**/*.ts.`);
}
