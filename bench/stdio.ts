import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { endChildren, project } from "./children.ts";
import { interleaved, rate } from "./measure.ts";
import { type Figure, report } from "./report.ts";
import { buildChildren, childOf, command, start, type Wire, wireOf } from "./stdio-peers.ts";

// A runtime on stdio against what one would take instead, in one run: only the ratios mean anything.
//
//   notifications  from the runtime to a parent that parses them, every event on disk before it is sent; against a child that inserts
//                  each in FULL commits of 100 and writes the line, and against the ACP SDK, which keeps nothing.
//   round trips    a request with the least to do, one at a time and 64 in flight, against vscode-jsonrpc.
//   spawn          from the spawn to the answer to `initialize`, against a script that answers one line.

const ROUNDS = 5;
const NOTIFICATIONS = 60_000;
const ROUND_TRIPS = 30_000;
const ONE_BY_ONE = 6_000;
const IN_FLIGHT = 64;
const SPAWNS = 15;

function counted(wire: Wire, count: number, fits: (message: Record<string, unknown>) => boolean): Promise<void> {
  let seen = 0;
  return new Promise((resolve) => {
    wire.onMessage((message) => {
      if (fits(message) && ++seen === count) resolve();
    });
  });
}

const isEvent = ({ method }: Record<string, unknown>) => method === "agent.event";

function ourNotifications(): () => Promise<number> {
  const wire = wireOf(childOf("ours"));
  let id = 0;
  return () => {
    // One more: every run has its `final`.
    const all = counted(wire, NOTIFICATIONS + 1, isEvent);
    const input = { type: "text", text: String(NOTIFICATIONS) };
    return rate(NOTIFICATIONS, async () => {
      wire.send({
        jsonrpc: "2.0",
        id: String(id++),
        method: "run.start",
        params: { input, meta: { new_session: true } },
      });
      await all;
    });
  };
}

function bareNotifications(): () => Promise<number> {
  const wire = wireOf(childOf("bare"));
  return () =>
    rate(NOTIFICATIONS, async () => {
      const all = counted(wire, NOTIFICATIONS, isEvent);
      wire.send(String(NOTIFICATIONS));
      await all;
    });
}

function acpNotifications(): () => Promise<number> {
  const child = childOf("acp");
  let seen = 0;
  let tell = () => {};
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const connection = client({ name: "bench" })
    .onNotification(methods.client.session.update, () => {
      if (++seen % NOTIFICATIONS === 0) tell();
    })
    .connect(stream);
  const initialized = connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: {},
  });
  return async () => {
    await initialized;
    const all = new Promise<void>((resolve) => {
      tell = resolve;
    });
    return rate(NOTIFICATIONS, async () => {
      const prompt = [{ type: "text" as const, text: String(NOTIFICATIONS) }];
      await connection.agent.request(methods.agent.session.prompt, { sessionId: "s", prompt });
      await all;
    });
  };
}

type Asker = (onAnswer: () => void) => void;

async function roundTrips(ask: Asker, count: number, inFlight: number): Promise<number> {
  return rate(count, async () => {
    let sent = 0;
    let answered = 0;
    await new Promise<void>((resolve) => {
      const next = () => {
        if (sent < count) {
          sent++;
          ask(() => {
            answered++;
            if (answered === count) resolve();
            else next();
          });
        }
      };
      for (let at = 0; at < inFlight; at++) next();
    });
  });
}

const params = { cwd: "/workspace", active_file: { path: "src/index.ts", language_id: "typescript" } };

function ourAsker(): Asker {
  const wire = wireOf(childOf("ours"));
  const waiting = new Map<unknown, () => void>();
  let id = 0;
  let lines: string[] = [];
  wire.onMessage((message) => {
    const answered = waiting.get(message.id);
    waiting.delete(message.id);
    answered?.();
  });
  return (onAnswer) => {
    const name = String(id++);
    waiting.set(name, onAnswer);
    lines.push(`${JSON.stringify({ jsonrpc: "2.0", id: name, method: "ui.context.update", params })}\n`);
    if (lines.length > 1) return;
    setImmediate(() => {
      wire.send(lines.join(""));
      lines = [];
    });
  };
}

function vscodeAsker(): Asker {
  const child = childOf("vscode");
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  return (onAnswer) => void connection.sendRequest("ui.context.update", params).then(onAnswer);
}

const greeting = {
  jsonrpc: "2.0",
  id: "1",
  method: "initialize",
  params: { protocol_version: "0", client: { name: "bench", version: "0" } },
};

/** Milliseconds from the spawn to the first answer. */
async function firstAnswer(args: string[]): Promise<number> {
  const from = performance.now();
  const child = start(args);
  const wire = wireOf(child);
  const answered = counted(wire, 1, ({ id }) => id === "1");
  wire.send(greeting);
  await answered;
  const took = performance.now() - from;
  wire.end();
  await new Promise((resolve) => child.once("exit", resolve));
  return took;
}

const runtime = [join(command, "main.js"), "stdio", "--dialect", "ui"];

/** Megabytes that the real command takes when it has answered and has nothing to do. */
async function idleMemory(): Promise<number> {
  const child = start(runtime);
  const wire = wireOf(child);
  const answered = counted(wire, 2, ({ id }) => id !== undefined);
  wire.send(greeting);
  wire.send({ jsonrpc: "2.0", id: "2", method: "session.list" }); // the log is open
  await answered;
  await new Promise((resolve) => setTimeout(resolve, 500));
  const [, pages = "0"] = readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ");
  wire.end();
  await new Promise((resolve) => child.once("exit", resolve));
  return (Number(pages) * 4096) / 1024 / 1024;
}

async function main(): Promise<boolean> {
  await buildChildren();
  const said = await interleaved(ROUNDS, {
    ours: ourNotifications(),
    bare: bareNotifications(),
    acp: acpNotifications(),
  });
  const figures: Figure[] = [
    { name: "notifications, bare pipe", unit: "k/s", ours: said.ours, bare: said.bare, floor: 0.5 },
    { name: "notifications, ACP SDK", unit: "k/s", ours: said.ours, bare: said.acp, floor: 1.2 },
  ];
  const ours = ourAsker();
  const vscode = vscodeAsker();
  const many = await interleaved(ROUNDS, {
    ours: () => roundTrips(ours, ROUND_TRIPS, IN_FLIGHT),
    bare: () => roundTrips(vscode, ROUND_TRIPS, IN_FLIGHT),
  });
  const one = await interleaved(ROUNDS, {
    ours: () => roundTrips(ours, ONE_BY_ONE, 1),
    bare: () => roundTrips(vscode, ONE_BY_ONE, 1),
  });
  figures.push(
    { name: "round trips, 64 in flight", unit: "k/s", ...many, floor: 1.5 },
    { name: "round trips, one by one", unit: "k/s", ...one, floor: 1 },
  );
  const spawns = await interleaved(SPAWNS, {
    ours: () => firstAnswer(runtime),
    bare: () => firstAnswer([`${project}bench/stdio-children/script.mjs`]),
  });
  figures.push({ name: "spawn to initialize", unit: "ms", ...spawns, ceiling: 2 });
  figures.push({ name: "idle RSS", unit: "MB", ours: await idleMemory() });
  return report(figures);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  endChildren();
}
