// Runs a prompt, asks y or n where the agent needs a yes, and prints the answer:
//   node examples/ui-client.mjs [--engine <name>] [--model <name>] "write a file notes.txt with the text hello"
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { UiClient } from "dragoman/clients/ui";
import { ask, closeTerminal, onInterrupt, show } from "./terminal.mjs";

const text = { type: /** @type {const} */ ("string") };
const { values, positionals } = parseArgs({ options: { engine: text, model: text }, allowPositionals: true });
const prompt = positionals.join(" ") || "List the files here";

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
      async prompt({ title, message }, { signal }) {
        return { value: (await ask(`${title}\n${message}`, "Your answer: ", signal)) ?? null };
      },
      async pick({ title, items, allow_text: inWords }, { signal }) {
        const choices = items.map(({ id, label }) => `  ${id}: ${label}`);
        const answer = await ask([title, ...choices].join("\n"), "Your choice: ", signal);
        if (answer === undefined) return { ids: [] };
        return inWords && !items.some(({ id }) => id === answer) ? { ids: [], text: answer } : { ids: [answer] };
      },
    },
    onLog: show,
  });
  try {
    const run = await client.startRun({ text: prompt, ...values });
    onInterrupt(() => run.cancel("interrupted").catch(() => {})); // it may just have ended
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
  closeTerminal();
}
