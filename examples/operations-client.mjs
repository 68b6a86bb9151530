// Works on a feature with the server that runs for this folder, or starts one: shows what happens, and asks what is asked:
//   node examples/operations-client.mjs 001-sign-in [clarify|analyze|plan] [--first]
// With --first every question is answered with its first option.
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { OperationsClient, OperationsError } from "dragoman/clients/operations";
import { findSidecar, startSidecar } from "dragoman/clients/sidecar";

const { values, positionals } = parseArgs({ options: { first: { type: "boolean" } }, allowPositionals: true });
const [feature = "", kind = "clarify"] = positionals;
const workspace = process.cwd();
const show = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);
const terminal = createInterface({ input: process.stdin, output: process.stderr });

const server = (await findSidecar({ workspace })) ?? (await startSidecar({ workspace }));
const client = new OperationsClient({ url: server.url, token: server.token });

try {
  if (kind !== "clarify" && kind !== "analyze" && kind !== "plan") throw new Error(`There is no operation "${kind}"`);
  const { operation_id: id } = await client.start(feature, kind);
  process.once("SIGINT", () => void client.cancel(id, { reason: "interrupted" }).catch(() => {}));
  const stream = client.watch(id);
  stream.on("state", ({ state, inMs = 0 }) => {
    if (state === "reconnecting") show(`(the connection is gone; trying again in ${Math.ceil(inMs / 1000)} s)`);
  });
  for await (const { sequence, type, content, metadata } of stream) {
    if (sequence < 0) continue; // a word of the connection's own
    show(type === "thinking" ? `  ${content}` : content);
    const { ask_id: askId, ask_kind: isQuestion, allow_text: inWords } = metadata ?? {};
    if (!askId || !isQuestion) continue;
    const how = inWords ? "Your answer, a letter or your own words: " : "Your answer: ";
    const answer = values.first ? "A" : await terminal.question(how);
    await stream.answer(askId, answer).catch((error) => show(error.message)); // somebody else may have been faster
  }
  const { status, report, message } = await client.operation(id);
  process.stdout.write(`${report ?? message}\n`);
  if (status !== "completed") process.exitCode = 1;
} catch (error) {
  process.exitCode = 1;
  show(error instanceof OperationsError ? `${error.message} (${error.code})` : String(error));
} finally {
  terminal.close();
  await client.logout().catch(() => {});
  if ("close" in server) await server.close();
}
