// Works on a feature with the server that runs for this folder, or starts one: shows what happens, and asks what is asked:
//   node examples/operations-client.mjs 001-sign-in [clarify|analyze|plan] [--first] [--engine <name>] [--model <name>]
// With --first every question is answered with its first option.
import { parseArgs } from "node:util";
import { OperationsClient, OperationsError } from "dragoman/clients/operations";
import { findSidecar, startSidecar } from "dragoman/clients/sidecar";
import { ask, closeTerminal, onInterrupt, show } from "./terminal.mjs";

const text = { type: /** @type {const} */ ("string") };
const first = { type: /** @type {const} */ ("boolean") };
const { values, positionals } = parseArgs({ options: { first, engine: text, model: text }, allowPositionals: true });
const [feature = "", kind = "clarify"] = positionals;
const workspace = process.cwd();

/** Starts the operation, and resolves when it has ended. */
async function operate(/** @type {OperationsClient} */ client) {
  if (kind !== "clarify" && kind !== "analyze" && kind !== "plan") throw new Error(`There is no operation "${kind}"`);
  const { operation_id: id } = await client.start(feature, kind, { engine: values.engine, model: values.model });
  onInterrupt(() => client.cancel(id, { reason: "interrupted" }).catch(() => {})); // it may just have ended
  const stream = client.watch(id);
  stream.on("state", ({ state, inMs = 0 }) => {
    if (state === "reconnecting") show(`(the connection is gone; trying again in ${Math.ceil(inMs / 1000)} s)`);
  });
  const over = new AbortController();
  const open = /** @type {Map<string, AbortController>} */ (new Map());
  const answer = async (/** @type {string} */ askId, /** @type {string} */ question, inWords = false) => {
    const closed = new AbortController();
    open.set(askId, closed);
    const signal = AbortSignal.any([closed.signal, over.signal]);
    const how = inWords ? "Your answer, a letter or your own words: " : "Your answer: ";
    const given = values.first ? "A" : await ask(question, how, signal, "the operation is cancelled");
    if (signal.aborted) return;
    if (given !== undefined) return void (await stream.answer(askId, given));
    over.abort();
    await client.cancel(id, { reason: "no more input" });
  };
  for await (const { sequence, type, content, metadata } of stream) {
    if (sequence < 0) continue; // a word of the connection's own
    const { ask_id: askId, ask_kind: isQuestion, allow_text: inWords } = metadata ?? {};
    if (values.first || !isQuestion) show(type === "thinking" ? `  ${content}` : content);
    if (askId && isQuestion)
      answer(askId, content, inWords).catch((error) => show(error.message)); // somebody was faster
    else if (askId) open.get(askId)?.abort();
  }
  over.abort();
  return client.operation(id);
}

try {
  const server = (await findSidecar({ workspace })) ?? (await startSidecar({ workspace }));
  const client = new OperationsClient({ url: server.url, token: server.token });
  try {
    const { status, report, message } = await operate(client);
    if (status !== "completed") process.exitCode = 1;
    process.stdout.write(`${report ?? message}\n`);
  } finally {
    await client.logout().catch(() => {});
    if ("close" in server) await server.close();
  }
} catch (error) {
  process.exitCode = 1;
  show(error instanceof OperationsError ? `${error.message} (${error.code})` : String(error));
} finally {
  closeTerminal();
}
