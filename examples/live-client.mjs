// Prompts an agent, shows what it says and does as it comes, and asks y or n where it needs a yes:
//   node examples/live-client.mjs "write a file notes.txt with the text hello"
//   node examples/live-client.mjs --url http://127.0.0.1:8137 --token-file <file> [--session <id>] "go on"
// Without an address it starts a runtime of its own; --socket <path> is that of `dragoman serve --live-socket <path>`. --engine <name> and
// --model <name> say what does the work of a new session.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { connectLive, LiveError } from "dragoman/clients/live";
import { ask, closeTerminal, onInterrupt, show } from "./terminal.mjs";

/** @typedef {import("dragoman/clients/live").LiveMessage} LiveMessage */
/** @typedef {import("dragoman/clients/live").LiveSession} LiveSession */

const text = /** @type {const} */ ({ type: "string" });
const { values, positionals } = parseArgs({
  options: { url: text, "token-file": text, socket: text, session: text, engine: text, model: text },
  allowPositionals: true,
});
const prompt = positionals.join(" ") || "List the files here";

/** @returns {import("dragoman/clients/live").LiveTarget} */
function target() {
  if (values.socket) return { socketPath: values.socket };
  if (!values.url) return {};
  const token = values["token-file"] && readFileSync(values["token-file"], "utf8").trim();
  return { url: values.url, ...(token && { token }) };
}

/** What the agent says goes to stdout, what it does to stderr. */
function draw(/** @type {LiveMessage} */ { type, data }) {
  if (type === "content_block_start" && data.fence) process.stdout.write(data.fence);
  if (type === "content_block_delta" && data.delta.type === "text_delta") process.stdout.write(data.delta.text);
  if (type === "content_block_stop" && data.fence) process.stdout.write(data.fence);
  if (type === "message_stop") process.stdout.write("\n");
  if (type === "tool_call_request" && !data.is_client_initiated) show(`• ${data.title ?? data.name}`);
  if (type === "tool_call_response")
    show(data.error ? `  ${data.error.message}` : `  done in ${data.execution_time_ms} ms`);
  if (type === "tool_call_response" && data.diff) show(data.diff);
}

function answerQuestions(/** @type {LiveSession} */ session) {
  session.onConfirmation(async ({ ask_id, kind, title, message, diff, items = [] }, { signal }) => {
    const question = [title, message, diff, ...items.map(({ id, label }) => `  ${id}: ${label}`)];
    const isYesOrNo = kind === "confirm";
    const answer = await ask(question.filter(Boolean).join("\n"), isYesOrNo ? "y or n: " : "Your answer: ", signal);
    if (signal.aborted) return;
    const isNo = answer === undefined || (isYesOrNo && !/^y/i.test(answer));
    const answered = isNo ? session.deny(ask_id) : isYesOrNo ? session.approve(ask_id) : session.answer(ask_id, answer);
    await answered.catch((error) => show(error.message)); // somebody else may have been faster
  });
}

try {
  const live = await connectLive(target(), { onLog: show });
  live.onStatus(({ status, inMs = 0 }) => {
    if (status === "reconnecting") show(`(the connection is gone; trying again in ${Math.ceil(inMs / 1000)} s)`);
  });
  try {
    const session = await (values.session
      ? live.attach(values.session)
      : live.open({ engine: values.engine, model: values.model }));
    answerQuestions(session);
    session.onMessage(draw);
    const run = await session.prompt(prompt);
    onInterrupt(() => session.interrupt(run.runId).catch(() => {})); // it may just have ended
    const { status, reason } = await run.ended;
    if (status !== "completed") process.exitCode = 1;
    show(`(${status}${reason ? `: ${reason}` : ""}; session ${session.id})`);
  } finally {
    await live.close();
  }
} catch (error) {
  process.exitCode = 1;
  show(error instanceof LiveError ? `${error.message} (${error.code})` : String(error));
} finally {
  closeTerminal();
}
