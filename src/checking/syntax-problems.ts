import { parse } from "@babel/parser";
import { messageOf } from "../core/errors.ts";
import { type Problem, shortened } from "./problem.ts";

/** The first place where the code is no TypeScript with JSX. */
export function syntaxProblems(code: string): Problem[] {
  try {
    parse(code, { sourceType: "module", plugins: ["typescript", "jsx"], attachComment: false });
    return [];
  } catch (error) {
    return [problemOf(error)];
  }
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof SyntaxError)) {
    return { stage: "parse", message: `The code cannot be read: ${messageOf(error)}.` }; // nested too deeply, mostly
  }
  const { line, column } = "loc" in error ? (error.loc as { line: number; column: number }) : {};
  const said = error.message.replace(/ \(\d+:\d+\)$/, "");
  return { stage: "parse", message: shortened(said), line, column: column === undefined ? undefined : column + 1 };
}
