// Chats with an agent that it starts, shows what it does, asks y or n where the agent needs a yes, and prints the answer:
//   node examples/studio-client.mjs "write a file notes.txt with the text hello"
// With --server <url> and --token <token> it is the agent of a server, and with --session <id> the chat goes on in that session.
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { connectStudio, StudioError } from "dragoman/clients/studio";

const text = { type: /** @type {const} */ ("string") };
const { values, positionals } = parseArgs({
  options: { server: text, token: text, session: text },
  allowPositionals: true,
});
const { server, token, session: sessionId } = values;
const message = positionals.join(" ") || "List the files here";
const terminal = createInterface({ input: process.stdin, output: process.stderr });
const show = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

const about = { clientName: "example", clientVersion: "1.0.0", capabilities: { asks: true } };
const client = await connectStudio(about, server === undefined ? {} : { url: server, token });
const leaving = new AbortController();
process.once("SIGINT", () => leaving.abort());

client.on("run/started", ({ requestId, sessionId: id }) => requestId !== undefined && show(`[session ${id}]`));
client.on("progress", ({ kind, message: what }) => show(`  ${kind}: ${what}`));
client.on("ask/opened", async ({ askId, title, message: about, diff = "" }) => {
  const answer = await terminal.question(`${[title, about, diff].filter(Boolean).join("\n")}\ny or n: `);
  const ok = answer.trim().toLowerCase().startsWith("y");
  await client.answer(askId, { ok }).catch((error) => show(error.message)); // somebody else may have been faster
});

try {
  const { message: answer } = await client.chat(message, { context: { sessionId }, signal: leaving.signal });
  process.stdout.write(`${answer}\n`);
} catch (error) {
  process.exitCode = 1;
  show(error instanceof StudioError ? `${error.message} (${error.code})` : String(error));
} finally {
  terminal.close();
  await client.close();
}
