import { existsSync, writeFileSync } from "node:fs";
import { NdjsonDecoder } from "../transports/ndjson.ts";

// A runtime of the `studio` protocol, for tests of its host: it does what the chat says, well-behaved or not. Flags: --silent answers nothing,
// --fail ends at once, --stubborn ends for nothing but SIGKILL.

interface Call {
  id?: number;
  method: string;
  params: { message?: string; requestId?: number };
}

const flags = process.argv.slice(2);
const muttered = (line: string) => process.stderr.write(`${line}\n`);
const raw = (text: string) => process.stdout.write(text);
const send = (message: object) => raw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const answer = (id: number | undefined, message: string) => send({ id, result: { message, suggestions: [] } });
const chunk = (requestId: number | undefined, index: number, text = `${index} `) =>
  send({ method: "stream/chunk", params: { requestId, chunk: text, index, done: false } });
let chats = 0;

/** As fast as the reader takes it, and no faster. */
async function flood(id: number | undefined, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    if (!chunk(id, index)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
  answer(id, "flooded");
}

function crash(): void {
  muttered("I am dying");
  setImmediate(() => process.exit(7));
}

const does: Record<string, (id: number | undefined, word: string) => unknown> = {
  say: answer,
  never: () => {},
  crash,
  "crash-once": (id, file) => {
    if (existsSync(file)) return answer(id, "not again");
    writeFileSync(file, "");
    crash();
  },
  flood: (id, count) => flood(id, Number(count)),
  gap: (id) => {
    chunk(id, 0);
    chunk(id, 2);
  },
  "gap-once": (id) => {
    chunk(id, 0);
    chunk(id, chats === 1 ? 2 : 1);
    if (chats > 1) answer(id, "whole");
  },
  garbage: (id) => {
    raw('not json\n\n[1]\n"text"\n{"jsonrpc":"2.0","id":null}\n');
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
    answer(id, "after all");
  },
  mutter: (id, count) => {
    for (let line = 0; line < Number(count); line++) muttered(`line ${line}`);
    answer(id, "muttered");
  },
  env: (id) => answer(id, JSON.stringify(process.env)),
  /** Reads no more until it gets SIGUSR2. */
  deaf: (id) => {
    process.stdin.pause();
    const awake = setInterval(() => {}, 1000);
    process.once("SIGUSR2", () => {
      clearInterval(awake);
      process.stdin.resume();
      answer(id, "I hear again");
    });
    muttered("deaf");
  },
};

function obey(line: string): void {
  const { id, method, params }: Call = JSON.parse(line);
  muttered(`got ${method} ${id ?? params?.requestId ?? ""}`);
  if (method === "initialize") send({ id, result: { serverName: "child", serverVersion: String(process.pid) } });
  if (method === "exit" && !flags.includes("--stubborn")) process.exit(0);
  if (method !== "chat") return;
  chats++;
  const [verb = "", word = ""] = (params.message ?? "").split(" ");
  does[verb]?.(id, word);
}

if (flags.includes("--fail")) {
  muttered("cannot start: no luck");
  process.exit(3);
}
if (flags.includes("--stubborn")) {
  process.on("SIGTERM", () => muttered("no"));
  setInterval(() => {}, 1000);
}
const decoder = new NdjsonDecoder();
process.stdin.on("data", (bytes: Uint8Array) => {
  if (flags.includes("--silent")) return;
  for (const line of decoder.push(bytes)) if (typeof line === "string") obey(line);
});
muttered(`pid ${process.pid}`);
