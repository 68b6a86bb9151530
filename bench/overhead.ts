import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import { build } from "../scripts/build.mjs";
import { endChildren, folder, startChild } from "./children.ts";
import { type Figure, median, report } from "./report.ts";
import { command, wireOf } from "./stdio-peers.ts";

// A prompt to Copilot through Dragoman, from a client that spawned it and speaks `live` with it on stdio, every event on disk before it is
// told; against the same prompt to the same runtime and model by the SDK, called directly. Both are warm, in one run and by turns, with
// the same stub for a model, so only what lies between them differs.
//
//   first event  from the prompt to the first piece of the model's answer.
//   completion   from the prompt to the end of the run.

const ROUNDS = 40;
const WARM_UP = 5;
const MOST_ADDED_MS = 10;
const PROMPT = "Hello [[say Here is an answer of some length, as a model would give it, in a few pieces.]]";

interface Times {
  first: number;
  completion: number;
}
type Ask = () => Promise<Times>;

const main = join(command, "main.js");

async function startStub(): Promise<string> {
  const child = startChild([main, "stub-model", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const text of (child.stdout as Readable).setEncoding("utf8")) {
    said += text;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (url) return url;
  }
  throw new Error("the stub did not say where it is");
}

async function byTheSdk(url: string): Promise<{ ask: Ask; end(): Promise<unknown> }> {
  const workingDirectory = folderFor("sdk");
  const client = new CopilotClient({
    connection: RuntimeConnection.forStdio(),
    useLoggedInUser: false,
    workingDirectory,
    baseDirectory: folderFor("sdk-home"),
  });
  await client.start();
  const session = await client.createSession({
    model: "stub-model",
    streaming: true,
    workingDirectory,
    provider: { type: "openai", wireApi: "completions", baseUrl: `${url}/v1` },
  });
  const ask = async () => {
    let first = Number.NaN;
    const from = performance.now();
    const off = session.on("assistant.message_delta", () => {
      if (Number.isNaN(first)) first = performance.now() - from;
    });
    await session.sendAndWait(PROMPT);
    off();
    return { first, completion: performance.now() - from };
  };
  return { ask, end: () => client.stop() };
}

async function byDragoman(url: string): Promise<{ ask: Ask; end(): Promise<unknown> }> {
  const env = {
    ...process.env,
    DRAGOMAN_HOME: folderFor("home"),
    DRAGOMAN_COPILOT_BASE_URL: `${url}/v1`,
    DRAGOMAN_COPILOT_MODEL: "stub-model",
    DRAGOMAN_COPILOT_HOME: folderFor("dragoman-copilot"),
  };
  const child = startChild([main, "stdio", "--dialect", "live", "--engine", "copilot"], {
    cwd: folderFor("dragoman"),
    env,
    stdio: ["pipe", "pipe", "inherit"],
  }) as ChildProcess & { stdin: Writable; stdout: Readable };
  const wire = wireOf(child as Parameters<typeof wireOf>[0]);
  wire.send({ type: "flow_control", data: { available_capacity: 1_000_000 } });
  let session_id: string | undefined;
  const ask = () =>
    new Promise<Times>((resolve, reject) => {
      let first = Number.NaN;
      const from = performance.now();
      wire.onMessage((message) => {
        const { type, data } = message as { type: string; data: Record<string, unknown> };
        session_id = (message.session_id as string | undefined) ?? session_id;
        if (type === "content_block_delta" && Number.isNaN(first)) first = performance.now() - from;
        if (type !== "status_update" || data.kind !== "run") return;
        if (data.status === "completed") resolve({ first, completion: performance.now() - from });
        if (data.status === "failed") reject(new Error(JSON.stringify(data)));
      });
      wire.send({ type: "user_input", session_id, data: { content: PROMPT, input_type: "ai_prompt" } });
    });
  const end = async () => {
    child.stdin.end();
    await once(child, "exit");
  };
  return { ask, end };
}

function folderFor(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

async function compared(): Promise<Figure[]> {
  await build(command);
  const url = await startStub();
  const [sdk, dragoman] = [await byTheSdk(url), await byDragoman(url)];
  const rounds: { bare: Times; ours: Times }[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const pair = { bare: await sdk.ask(), ours: await dragoman.ask() };
    if (round >= 0) rounds.push(pair);
  }
  await Promise.all([sdk.end(), dragoman.end()]);
  const of = (side: "bare" | "ours", time: keyof Times) => median(rounds.map((each) => each[side][time]));
  const figures = (time: keyof Times, name: string): Figure[] => [
    { name, unit: "ms", ours: of("ours", time), bare: of("bare", time) },
    { name: `${name}, added`, unit: "ms", ours: of("ours", time) - of("bare", time), most: MOST_ADDED_MS },
  ];
  return [...figures("first", "first event"), ...figures("completion", "completion")];
}

try {
  process.exitCode = report(await compared()) ? 0 : 1;
} finally {
  endChildren();
}
