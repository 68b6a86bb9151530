// Runs a prompt, asks y or n where the agent needs a yes, and prints the answer:
//   node examples/ui-client.mjs "write a file notes.txt with the text hello"
import { setImmediate } from "node:timers/promises";
import { UiClient } from "dragoman/clients/ui";
import { ask, closeTerminal, onInterrupt, show } from "./terminal.mjs";

const prompt = process.argv.slice(2).join(" ") || "List the files here";

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
