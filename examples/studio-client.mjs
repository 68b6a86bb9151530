// Chats with an agent that it starts, shows what it does, asks y or n where the agent needs a yes, and prints the answer:
//   node examples/studio-client.mjs "write a file notes.txt with the text hello"
// With --server <url> and --token <token> it is the agent of a server, and with --session <id> the chat goes on in that session. --engine <name>
// and --model <name> say what does the work.
import { parseArgs } from "node:util";
import { connectStudio, StudioError } from "dragoman/clients/studio";
import { ask, closeTerminal, onInterrupt, show } from "./terminal.mjs";

/** @typedef {import("dragoman/clients/studio").StudioClient} StudioClient */

const text = { type: /** @type {const} */ ("string") };
const { values, positionals } = parseArgs({
  options: { server: text, token: text, session: text, engine: text, model: text },
  allowPositionals: true,
});
const { server, token, session: sessionId, engine, model } = values;
const message = positionals.join(" ") || "List the files here";

function answerQuestions(/** @type {StudioClient} */ client) {
  const open = /** @type {Map<string, AbortController>} */ (new Map());
  client.on("ask/opened", async ({ askId, kind, title, message: about, diff = "", items = [], allowText }) => {
    const closed = new AbortController();
    open.set(askId, closed);
    const question = [title, about, diff, ...items.map(({ id, label }) => `  ${id}: ${label}`)];
    const prompt = kind === "confirm" ? "y or n: " : "Your answer: ";
    const answer = await ask(question.filter(Boolean).join("\n"), prompt, closed.signal);
    if (closed.signal.aborted) return;
    const inWords = allowText && answer !== undefined && !items.some(({ id }) => id === answer);
    const picked = answer === undefined || inWords ? [] : [answer];
    const reply = {
      confirm: { ok: /^y/i.test(answer ?? "") },
      prompt: { value: answer ?? null },
      pick: { ids: picked, ...(inWords && { text: answer }) },
    };
    if (kind === "tool") return; // for the program that runs it
    await client.answer(askId, reply[kind]).catch((error) => show(error.message)); // somebody else may have been faster
  });
  client.on("ask/closed", ({ askId }) => {
    open.get(askId)?.abort();
    open.delete(askId);
  });
  client.on("closed", () => open.forEach((closed) => void closed.abort()));
}

try {
  const about = { clientName: "example", clientVersion: "1.0.0", capabilities: { asks: true } };
  const client = await connectStudio(about, server === undefined ? {} : { url: server, token });
  try {
    answerQuestions(client);
    client.on("run/started", ({ requestId, sessionId: id }) => requestId !== undefined && show(`[session ${id}]`));
    client.on("progress", ({ kind, message: what }) => show(`  ${kind}: ${what}`));
    const leaving = new AbortController();
    onInterrupt(() => leaving.abort());
    const { message: answer } = await client.chat(message, {
      context: { sessionId, engine, model },
      signal: leaving.signal,
    });
    process.stdout.write(`${answer}\n`);
  } finally {
    await client.close();
  }
} catch (error) {
  process.exitCode = 1;
  show(error instanceof StudioError ? `${error.message} (${error.code})` : String(error));
} finally {
  closeTerminal();
}
