import { interfaceCheck } from "../../checking/check-interface.ts";
import { codeReading } from "../../checking/code-reading.ts";

const MOST = 5;
const words = { parse: "It does not parse", types: "A type is wrong", render: "It does not render" };

/**
 * Tells what is wrong with code that a model made of that code, in sentences: it must parse, be allowed in the frame, have right types, and
 * render.
 */
export function problemsAfter(before: string): (code: string, signal: AbortSignal) => Promise<string[]> {
  const check = interfaceCheck(before);
  return async (code, signal) => {
    const reading = await codeReading(code, signal);
    if (!reading.unreadable && reading.refused.length > 0)
      return reading.refused.slice(0, MOST).map(({ what, line }) => `Line ${line}: ${what} is not allowed.`);
    const problems = await check(code, signal, reading);
    return problems
      .slice(0, MOST)
      .map(({ stage, message, line }) => `${words[stage]}${line === undefined ? "" : `, line ${line}`}: ${message}`);
  };
}
