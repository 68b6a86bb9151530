// Plays an IDE's plugin in a terminal: see README.md.
import { createInterface } from "node:readline/promises";
import { CallbackServer, findSidecar, SidecarClient, startSidecar } from "dragoman/clients/sidecar";
import { giveUp, pluginArguments } from "./arguments.mjs";
import { toolsIn } from "./tools.mjs";

const { workspace, prompt, engine, model, yes } = pluginArguments();
process.on("uncaughtException", ({ message }) => giveUp(message)); // a server of its own ends with it

/** @typedef {import("dragoman/clients/sidecar").EventData<"tool.approval">} Approval */
/** @typedef {{ title: string, message: string, defaultValue?: string, items?: { id: string, label: string }[], allowText?: boolean }} Question */

/** What comes from an agent is for the eyes only: nothing of it may move the cursor or hide. */
const show = (/** @type {string} */ text) => process.stdout.write(`${text.replace(/[^\P{C}\n\t]/gu, "")}\n`);

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const gone = new AbortController();
terminal.on("close", () => gone.abort());

/** Nothing typed is `""`, and so is what nobody can type any more. */
const ask = (/** @type {string} */ question, /** @type {AbortSignal} */ signal) =>
  gone.signal.aborted
    ? Promise.resolve("")
    : terminal.question(question, { signal: AbortSignal.any([signal, gone.signal]) }).catch(() => "");

/** @returns {Promise<boolean>} */
async function agree(/** @type {Approval} */ { title, message, diff, danger }, /** @type {AbortSignal} */ signal) {
  show(`? ${title ?? "May it?"}${danger ? " (careful)" : ""}`);
  for (const text of [message, diff]) if (text) show(text.replace(/^/gm, "    "));
  if (yes) return true;
  const said = await ask("  y or n: ", signal);
  if (gone.signal.aborted && process.exitCode !== 130) show("  (there is no more input, so that is a no)");
  return /^y/i.test(said);
}

// The POST for a tool of ours and the event that says whether a person must agree to it come side by side.
/** @type {Map<string, { told: Promise<Approval>, tell(data: Approval): void }>} */
const approvals = new Map();
function approvalOf(/** @type {string} */ callId) {
  const known = approvals.get(callId);
  if (known) return known;
  /** @type {(data: Approval) => void} */
  let tell = () => {};
  const made = { told: new Promise((/** @type {typeof tell} */ resolve) => (tell = resolve)), tell };
  approvals.set(callId, made);
  return made;
}

const server = (await findSidecar({ workspace })) ?? (await startSidecar({ workspace }));
const client = new SidecarClient({ ...server, relocate: () => findSidecar({ workspace }) });
const handlers = toolsIn(workspace);
const callbacks = await CallbackServer.listen({
  token: () => client.address.token,
  handlers,
  async approve({ callId }, { signal }) {
    const approval = await approvalOf(callId).told;
    return !approval.requiresApproval || agree(approval, signal);
  },
});

/** What the server does itself, and what the agent wants to know. */
async function answer(/** @type {Approval} */ approval) {
  const { askId, toolName, args } = approval;
  const about = { sessionId, askId };
  if (toolName !== "ask.prompt" && toolName !== "ask.pick") {
    const question = toolName.startsWith("ask.") ? { ...approval, .../** @type {object} */ (args) } : approval;
    return client.approve({ ...about, approved: await agree(question, gone.signal) });
  }
  const { title, message, items = [], allowText, defaultValue = items[0]?.id ?? "" } = /** @type {Question} */ (args);
  show(`? ${title}\n    ${message}`);
  for (const { id, label } of items) show(`    ${id}: ${label}`);
  const said = (yes ? "" : await ask(`  [${defaultValue}]: `, gone.signal)) || defaultValue;
  const isChoice = toolName === "ask.pick" && (!allowText || items.some(({ id }) => id === said));
  return client.approve({ ...about, approved: true, ...(isChoice ? { ids: [said] } : { value: said }) });
}

const { sessionId } = await client.createSession({
  workspace,
  engine,
  model,
  ...callbacks.params,
  permissions: { "git.commit": "ask", "git.push": "ask", "fs.write": "ask", "exec.run": "ask" },
});

/** @type {{ [Name in import("dragoman/clients/sidecar").EventName]: (data: import("dragoman/clients/sidecar").EventData<Name>) => void }} */
const on = {
  "plan.start": ({ steps }) => steps.forEach(({ description }, at) => void show(`  ${at + 1}. ${description}`)),
  "plan.step": ({ description, status }) => show(`▸ ${description}: ${status}`),
  "plan.complete": ({ status }) => show(`▸ the plan: ${status}`),
  "timeline.message": ({ role, content }) => role !== "user" && content && show(content),
  "timeline.toolCall": ({ toolName, status, error }) => {
    show(`  ${toolName} ${status}${error ? `: ${error}` : ""}`);
    if (status === "failed") process.exitCode ??= 1;
  },
  "tool.approval": (data) => {
    if (data.outcome) return;
    if (Object.hasOwn(handlers, data.toolName)) approvalOf(data.callId).tell(data);
    else answer(data).catch(({ message }) => show(message));
  },
  error: ({ message }) => {
    show(`error: ${message}`);
    process.exitCode ??= 1;
  },
};

const cancel = () => {
  if (process.exitCode === 130) process.exit();
  show("\n(cancelling; Ctrl-C again ends at once)");
  process.exitCode = 130;
  client.cancel({ sessionId, reason: "interrupted" }).catch(() => {});
};
process.on("SIGINT", cancel);
terminal.on("SIGINT", cancel);

try {
  await client.send({ sessionId, prompt });
  for await (const { event, data } of client.stream(sessionId)) {
    /** @type {(data: unknown) => void} */ (on[event])?.(data);
    if (event === "timeline.message" && data.done) break;
  }
  await client.closeSession(sessionId);
} finally {
  terminal.close();
  await callbacks.close();
  if ("close" in server) await server.close();
}
