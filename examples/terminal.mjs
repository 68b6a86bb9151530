// What the examples have in common: they ask one question after the other, and Ctrl-C cancels what is under way.
import { createInterface } from "node:readline/promises";

const terminal = createInterface({ input: process.stdin, output: process.stderr });
const inputEnded = new AbortController();
terminal.once("close", () => inputEnded.abort());
/** What a program has written before it was asked. A person's keys are no answer to what they have not seen. @type {string[]} */
const early = [];
if (!process.stdin.isTTY) terminal.on("line", (line) => early.push(line));
let turn = Promise.resolve();
/** @type {(() => unknown) | undefined} */
let cancel;

export const show = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/**
 * Nothing comes back of a question that is closed before it is answered, or when no more input can come: that is a no, or what is said.
 * @param {string} question @param {string} prompt @param {AbortSignal} signal @param {string} [without]
 * @returns {Promise<string | undefined>}
 */
export function ask(question, prompt, signal, without = "that is a no") {
  const answer = turn.then(async () => {
    if (signal.aborted) return undefined;
    show(question);
    const given = early.shift();
    if (given !== undefined) show(`${prompt}${given}`);
    if (given !== undefined) return given;
    try {
      return await terminal.question(prompt, { signal: AbortSignal.any([signal, inputEnded.signal]) });
    } catch {
      show(signal.aborted ? "(that question is closed)" : `(there is no more input, so ${without})`);
      return undefined;
    }
  });
  turn = answer.then(() => {});
  return answer;
}

/** From now on there is something to cancel. @param {() => unknown} action */
export function onInterrupt(action) {
  cancel = action;
}

export const closeTerminal = () => terminal.close();

function interrupted() {
  if (!cancel) process.exit(130);
  show("\n(cancelling; Ctrl-C again ends at once)");
  cancel();
  cancel = undefined;
}
process.on("SIGINT", interrupted);
terminal.on("SIGINT", interrupted);
