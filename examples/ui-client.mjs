// Runs a prompt, asks y or n where the agent needs a yes, and prints the answer:
//   node examples/ui-client.mjs "write a file notes.txt with the text hello"
import { createInterface } from "node:readline/promises";
import { setImmediate } from "node:timers/promises";
import { UiClient } from "dragoman/clients/ui";

const prompt = process.argv.slice(2).join(" ") || "List the files here";
const show = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
const terminal = createInterface({ input: process.stdin, output: process.stderr });
const inputEnded = new AbortController();
terminal.once("close", () => inputEnded.abort());
let turn = Promise.resolve();

/**
 * One question after the other. Nothing comes back of one that is closed before it is answered, or when no more input can come.
 * @param {string} question @param {string} prompt @param {AbortSignal} signal @returns {Promise<string | undefined>}
 */
function ask(question, prompt, signal) {
  const answer = turn.then(async () => {
    if (signal.aborted) return undefined;
    show(question);
    try {
      return await terminal.question(prompt, { signal: AbortSignal.any([signal, inputEnded.signal]) });
    } catch {
      show(signal.aborted ? "(that question is closed)" : "(there is no more input, so that is a no)");
      return undefined;
    }
  });
  turn = answer.then(() => {});
  return answer;
}

/** @type {(() => unknown) | undefined} */
let cancel; // what is under way, once something is
function interrupted() {
  if (!cancel) process.exit(130);
  show("\n(cancelling; Ctrl-C again ends at once)");
  cancel();
  cancel = undefined;
}
process.on("SIGINT", interrupted);
terminal.on("SIGINT", interrupted);

try {
  const client = await UiClient.spawn({
    client: { name: "example", version: "1.0.0" },
    handlers: {
      // The diff is in the message, as this program does not say that it draws one by itself.
      async confirm({ title, message }, { signal }) {
        await setImmediate(); // what happened before it is shown before it
        const answer = await ask(`${title}\n${message}`, "y or n: ", signal);
        return { ok: answer !== undefined && /^y/i.test(answer) };
      },
    },
    onLog: show,
  });
  try {
    const run = await client.startRun({ text: prompt });
    cancel = () => run.cancel("interrupted").catch(() => {}); // it may just have ended
    for await (const update of run.events) {
      if (update.type === "status" && update.message) show(`[${update.status}] ${update.message}`);
      if (update.type !== "event") continue;
      const { event } = update;
      if (event.type === "step_start") show(`• ${event.title}`);
      if (event.type === "tool_call") show(`  ${event.display_name ?? event.tool}`);
    }
    const { status, message, final } = await run.done;
    if (status !== "completed") process.exitCode = 1;
    process.stdout.write(`${final ?? message ?? status}\n`);
  } finally {
    await client.close();
  }
} catch (error) {
  process.exitCode = 1;
  show(String(error));
} finally {
  terminal.close();
}
