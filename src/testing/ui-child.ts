import { NdjsonDecoder } from "../transports/ndjson.ts";

// A runtime of the `ui` protocol, for tests of its client: it does what the prompt says, well-behaved or not. Flags:
// --mute answers nothing, --version V speaks another version, --fail ends at once, --lingering ends not with its stdin, --stubborn for
// nothing but SIGKILL.

type Params = Record<string, never>;
interface Call {
  id?: string;
  method?: string;
  params?: Params;
  result?: unknown;
  error?: unknown;
}

const flags = process.argv.slice(2);
const sessionId = "session-1";
let runs = 0;
const owed: (() => void)[] = [];
let onReply: (reply: Call) => void = () => {};

const raw = (text: string) => process.stdout.write(text);
const send = (message: object) => raw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const say = (run_id: string, seq: number, content: string) =>
  send({ method: "agent.event", params: { run_id, seq, event: { type: "text", content, timestamp: 0 } } });
const status = (run_id: string, to: string, message?: string) =>
  send({ method: "run.status", params: { run_id, status: to, message } });

function finish(run_id: string, seq: number, content = "done"): void {
  send({ method: "agent.event", params: { run_id, seq, event: { type: "final", content } } });
  status(run_id, "completed");
}

/** As fast as the reader takes it, and no faster. */
async function flood(run_id: string, count: number, size: number): Promise<void> {
  for (let seq = 0; seq < count; seq++) {
    const room = say(run_id, seq, "x".repeat(size));
    if (!room) await new Promise((resolve) => process.stdout.once("drain", resolve));
    if (seq % 1000 === 999) process.stderr.write(`wrote ${seq + 1}\n`);
  }
  finish(run_id, count);
}

function ask(run_id: string, method: string, params: object): void {
  status(run_id, "awaiting_ui");
  onReply = ({ result, error }) => {
    status(run_id, "running");
    say(run_id, 0, JSON.stringify({ result, error }));
    finish(run_id, 1);
  };
  send({ id: "ask-1", method, params: { run_id, title: "Sure?", ...params } });
}

function garble(run_id: string): void {
  raw('not json\n\n[{"jsonrpc":"2.0"}]\n{"id":{}}\n"text"\n');
  process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
  send({ id: "never-asked", result: 1 });
  send({ id: null, error: { code: -32700, message: "what was that" } });
  send({ method: "agent.event", params: { run_id } });
  send({ method: "weather.changed", params: {} });
  raw(`${"x".repeat(17 * 1024 * 1024)}\n`);
  finish(run_id, 0);
}

const prompts: Record<string, (run_id: string, ...words: string[]) => unknown> = {
  say: (id, count) => {
    for (let seq = 0; seq < Number(count); seq++) say(id, seq, `text ${seq}`);
    finish(id, Number(count));
  },
  quiet: (id) => say(id, 0, "begun"),
  flood: (id, count, size) => flood(id, Number(count), Number(size)),
  confirm: (id) => ask(id, "ui.confirm.request", { message: "Really?" }),
  prompt: (id) => ask(id, "ui.prompt.request", { message: "Name?" }),
  pick: (id) => ask(id, "ui.pick.request", { items: [{ id: "a", label: "A" }] }),
  dance: (id) => ask(id, "ui.dance.request", {}),
  withdrawn: (id) => {
    ask(id, "ui.confirm.request", { message: "Really?" });
    owed.push(() => {
      status(id, "running", "answered by somebody else");
      finish(id, 0);
    });
  },
  die: (id) => {
    say(id, 0, "my last words");
    process.stderr.write("I am dying\n");
    setImmediate(() => process.exit(7));
  },
  half: (id) => {
    say(id, 0, "whole");
    raw('{"jsonrpc":"2.0","method":"agent.event","params":{"run_');
    setImmediate(() => process.exit(0));
  },
  unended: (id) => {
    finish(id, 0, "without a line end");
    raw(`{"jsonrpc":"2.0","method":"run.context","params":{"run_id":"${id}","context_left_percent":5}}`);
    setImmediate(() => process.exit(0));
  },
  garbage: garble,
  gap: (id) => {
    for (const seq of [0, 1, 5, 6, 8]) say(id, seq, `text ${seq}`);
    status(id, "completed");
    send({ method: "run.lost", params: { lost: [{ run_id: id, seqs: [2, 3, 7] }] } });
  },
  env: (id, name) => finish(id, 0, process.env[name ?? ""] ?? "unset"),
};

function startRun({ id, params }: Call): void {
  const run_id = `run-${process.pid}-${++runs}`;
  const input: { text?: string } = params?.input ?? {};
  const [word = "", ...words] = String(input.text).split(" ");
  const early = word === "early";
  const [name = "", ...rest] = early ? words : [word, ...words];
  const answer = () => send({ id, result: { run_id, session_id: sessionId } });
  if (!early) answer();
  status(run_id, "running");
  prompts[name]?.(run_id, ...rest);
  if (early) answer();
}

const answers: Record<string, (call: Call) => void> = {
  initialize: ({ id, params }) => {
    const at = flags.indexOf("--version");
    const protocol_version = at < 0 ? "0" : flags[at + 1];
    const server = { name: "child", version: String(process.pid) };
    send({ id, result: { protocol_version, server, server_capabilities: { echo: params } } });
  },
  "run.start": startRun,
  "run.cancel": ({ id, params }) => {
    send({ id, result: { ok: true, status: "running" } });
    status(params?.run_id ?? "", "cancelled", params?.reason);
  },
  "session.history": ({ id, params }) => {
    if (params?.session_id !== sessionId) {
      send({ id, error: { code: -32004, message: "No such session" } });
      return;
    }
    const events = [-1, 0, 1].map((seq) => ({ run_id: "old-run", seq, event: { type: "text", content: `${seq}` } }));
    for (const event of events) send({ method: "agent.event", params: event });
    send({ id, result: { runs: 1, events_sent: events.length, truncated: false } });
  },
  /** Never, or behind the next call. */
  "model.list": ({ id, params }) => {
    const answer = () => send({ id, result: { provider: params?.provider, models: [] } });
    if (params?.provider === "late") owed.push(answer);
    else if (params?.provider !== "never") answer();
  },
  "mcp.list": ({ id }) => {
    for (const pay of owed.splice(0)) pay();
    send({ id, result: { servers: [] } });
  },
  /** Reads no more until it gets SIGUSR2. */
  "skills.list": () => {
    process.stdin.pause();
    const awake = setInterval(() => {}, 1000);
    process.once("SIGUSR2", () => {
      clearInterval(awake);
      process.stdin.resume();
    });
    process.stderr.write("deaf\n");
  },
  "history.export": ({ id, params }) => {
    const after = Number(params?.after);
    const next_after = after < 4 ? after + 2 : undefined;
    send({ id, result: { session_id: sessionId, format: "jsonl", content: `${after}`, events: 2, next_after } });
  },
  "todos.list": ({ id, params }) => send({ id, result: { todos: [], echo: params } }),
};

function obey(line: string): void {
  const call: Call = JSON.parse(line);
  const answer = answers[call.method ?? ""];
  if (call.method === undefined) onReply(call);
  else if (answer) answer(call);
  else if (call.id !== undefined) send({ id: call.id, error: { code: -32601, message: `No ${call.method} here` } });
}

if (flags.includes("--fail")) {
  process.stderr.write("cannot start: no luck\n");
  process.exit(3);
}
if (flags.includes("--stubborn")) process.on("SIGTERM", () => {});
if (flags.includes("--stubborn") || flags.includes("--lingering")) setInterval(() => {}, 1000);
const decoder = new NdjsonDecoder();
process.stdin.on("data", (chunk: Uint8Array) => {
  if (flags.includes("--mute")) return;
  for (const line of decoder.push(chunk)) if (typeof line === "string") obey(line);
});
