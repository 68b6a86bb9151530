// Runs a prompt, asks y or n where the agent needs a yes, and prints the answer:
//   node examples/ui-client.mjs "write a file notes.txt with the text hello"
import { createInterface } from "node:readline/promises";
import { UiClient } from "dragoman/clients/ui";

const prompt = process.argv.slice(2).join(" ") || "List the files here";
const terminal = createInterface({ input: process.stdin, output: process.stderr });
const show = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const client = await UiClient.spawn({
  client: { name: "example", version: "1.0.0" },
  capabilities: { supports_permission_preflight_events: true },
  handlers: {
    async confirm({ title, message }, { signal }) {
      const answer = await terminal.question(`${title}\n${message}\ny or n: `, { signal });
      return { ok: answer.trim().toLowerCase().startsWith("y") };
    },
  },
  onLog: show,
});

try {
  const run = await client.startRun({ text: prompt });
  process.once("SIGINT", () => run.cancel("interrupted"));
  for await (const update of run.events) {
    if (update.type === "status" && update.message) show(`[${update.status}] ${update.message}`);
    if (update.type !== "event") continue;
    const { event } = update;
    if (event.type === "step_start") show(`• ${event.title}`);
    if (event.type === "tool_call") show(`  ${event.display_name ?? event.tool}`);
    if (event.type === "permission.preview" && event.diff) show(event.diff);
  }
  const { status, message, final } = await run.done;
  if (status !== "completed") process.exitCode = 1;
  process.stdout.write(`${final ?? message ?? status}\n`);
} finally {
  terminal.close();
  await client.close();
}
