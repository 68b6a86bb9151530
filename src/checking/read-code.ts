import { type ParseResult, parse } from "@babel/parser";
import type { Comment, File } from "@babel/types";
import { messageOf } from "../core/errors.ts";
import { findRefused, type RefusedConstruct } from "./find-refused.ts";
import { notTooMany, type Problem, shortened } from "./problem.ts";
import { unread } from "./unread.ts";

/** What can be told of code from its text alone. */
export interface CodeReading {
  /** Why it cannot be read. Then it is refused, too. */
  unreadable?: Problem;
  /** What it may not use, in the order of the text. */
  refused: RefusedConstruct[];
  /** What keeps the compiler from telling what is wrong. */
  unchecking: Problem[];
}

/** Reads TypeScript with JSX. */
export function readCode(code: string): CodeReading {
  try {
    const file = parse(code, { sourceType: "module", plugins: ["typescript", "jsx"], attachComment: false });
    return { refused: findRefused(file), unchecking: uncheckingIn(file) };
  } catch (error) {
    return error instanceof SyntaxError ? wrongAt(error) : unread("that is nested too deeply", messageOf(error));
  }
}

/** The first place where it is no such code. */
function wrongAt(error: SyntaxError & { loc?: { line: number; column: number } }): CodeReading {
  const [line, column] = [error.loc?.line ?? 1, (error.loc?.column ?? 0) + 1];
  const message = shortened(error.message.replace(/ \(\d+:\d+\)$/, ""));
  return {
    unreadable: { stage: "parse", message, line, column },
    refused: [{ what: `a syntax error (${message})`, line, column }],
    unchecking: [],
  };
}

const UNCHECKING = /@ts-(?:nocheck|ignore|expect-error)\b/i;

function uncheckingIn({ comments }: ParseResult<File>): Problem[] {
  const found = (comments ?? []).filter(({ value }) => UNCHECKING.test(value)).flatMap(uncheckingOf);
  return notTooMany("types", found);
}

/** Where in a comment the compiler heeds it is left to the compiler: no comment has any business with it. */
function uncheckingOf({ value, loc }: Comment): Problem[] {
  return value.split("\n").flatMap((text, at) => {
    const word = UNCHECKING.exec(text)?.[0];
    if (word === undefined) return [];
    const message = `${word} keeps the types from being checked; take it out.`;
    return [{ stage: "types", message, line: (loc?.start.line ?? 1) + at }];
  });
}
