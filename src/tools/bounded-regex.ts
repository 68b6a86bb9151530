import { createContext, Script } from "node:vm";
import { DragomanError, messageOf } from "../core/errors.ts";
import { codeOf } from "./real-path.ts";

// A model may well write an expression that backtracks for ever, and nothing else happens in this thread meanwhile. A script with a
// time-out is interrupted even inside of one match.
const TIMEOUT_MS = 500;

const script = new Script(`
  found = [];
  for (let i = 0; i < texts.length && found.length < limit; i++) {
    const match = expression.exec(texts[i]);
    if (match) found.push({ index: i, at: match.index });
  }
`);

export interface Match {
  /** Which of the texts. */
  index: number;
  /** Where in it, from 0. */
  at: number;
}

/** The first match in each of the texts, up to `limit` texts. Keep what is given at once small: it is done in one go. */
export type FindMatches = (texts: readonly string[], limit: number) => Match[];

export function boundedRegex(expression: RegExp): FindMatches {
  const context = createContext({ expression });
  return (texts, limit) => {
    Object.assign(context, { texts, limit });
    try {
      script.runInContext(context, { timeout: TIMEOUT_MS });
    } catch (error) {
      throw asToolError(error, expression);
    }
    return context.found;
  };
}

function asToolError(error: unknown, expression: RegExp): DragomanError {
  if (codeOf(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
    return new DragomanError(
      "tool_timeout",
      `The pattern ${expression.source} takes too long on some text: it has to try too many ways to match. Use a simpler one.`,
    );
  }
  return new DragomanError(
    "invalid_tool_args",
    `The pattern ${expression.source} cannot be used: ${messageOf(error)}.`,
  );
}
