import { setTimeout as pause } from "node:timers/promises";
import { endChildren } from "./children.ts";
import { type Audience, buildChildren, Child, type Crowd, Ours, type Server, startPeer } from "./fanout-peers.ts";
import { interleaved, rate } from "./measure.ts";
import { type Figure, report } from "./report.ts";

// What a run says, to many who watch it over WebSockets, from `dragoman serve` as it is: each message of about 300 bytes is on disk
// (SQLite, synchronous = FULL) before anyone hears of it. Against two servers that keep nothing on disk, in turns in one run: only the
// ratios mean anything.
//
//   ws         a buffer that was made beforehand, with `ws.send(buffer)` to one client after the other
//   socket.io  with connection state recovery: it keeps in memory what it sent
//
// The clients are in a process of their own, the same for all three, which counts frames and does not look into them. What is said
// is `step.started`, in a run of kind "prompt": an operation is held to 1000 messages, and text and thinking are joined to blocks
// from the 800th message on, but each of these is a message, however many there are.
//
//   a connection  what 500 of them, who watch and are told nothing, add to what the process uses after garbage collection
//   a stalled one  does not read at all: by how much more a run adds to that which it watches, when it was sent all that the kernel
//                  takes, than one which it does not; and how fast the others are told. In the end it reads, over the same
//                  connection, and has to get every execution, and all thinking or a notice that names it

const ROUNDS = 5;
const SIZES = [
  { clients: 1, events: 20_000, floors: { ws: 0.2 } },
  { clients: 100, events: 1_000, floors: { ws: 3, socketIo: 4 } },
  { clients: 500, events: 200, floors: { ws: 3, socketIo: 4 } },
];
const CONNECTIONS = 500;
const READERS = 100;
const READERS_EVENTS = 4_000;
const READERS_ROUNDS = 9;
/** More than fits into what the kernel keeps for a connection. */
const STALLING_EVENTS = 30_000;
/** More than may gather before thinking is left out. */
const THOUGHTS = 200;
/** By then nothing is left of clients who went. */
const PARTING_MS = 1_000;
const MB = 1024 * 1024;
const MOST_KIB = 16;

type Peers = Record<"ours" | "ws" | "socketIo", Server>;

/** All that is made once, or kept for the next time, is there afterwards. */
async function warmUp(server: Server): Promise<void> {
  const audience = await server.audience(100);
  await audience.flood(1_000);
  await audience.leave();
  await pause(PARTING_MS);
}

/** In KiB. */
async function connectionCost(server: Server): Promise<number> {
  const before = await server.memory();
  const audience = await server.audience(CONNECTIONS);
  const after = await server.memory();
  await audience.leave();
  await pause(PARTING_MS);
  return (after - before) / CONNECTIONS / 1024;
}

async function benchConnections({ ours, ws }: Peers): Promise<Figure> {
  const sides = { ours: await connectionCost(ours), bare: await connectionCost(ws) };
  return { name: "a connection, idle", unit: "KiB", ...sides, most: MOST_KIB };
}

async function benchFanOut(peers: Peers, { clients, events, floors }: (typeof SIZES)[number]): Promise<Figure[]> {
  const audiences: Audience[] = [];
  const flooding = async (server: Server) => {
    const audience = await server.audience(clients);
    audiences.push(audience);
    return () => rate(clients * events, () => audience.flood(events));
  };
  const { ours, ws, socketIo } = await interleaved(ROUNDS, {
    ours: await flooding(peers.ours),
    ws: await flooding(peers.ws),
    socketIo: await flooding(peers.socketIo),
  });
  for (const audience of audiences) await audience.leave();
  const figure = { unit: "k/s", ours };
  return [
    { ...figure, name: `to ${clients}, against ws`, bare: ws, floor: floors.ws },
    { ...figure, name: `to ${clients}, against socket.io`, bare: socketIo, floor: floors.socketIo },
  ];
}

async function benchStalled(ours: Ours): Promise<Figure[]> {
  const runId = await ours.newRun();
  const [alone, beside] = [await ours.audience(READERS), await ours.audience(READERS, runId)];
  const stalled = await ours.stalled(runId);
  const used = [await ours.memory()];
  for (const audience of [alone, beside]) {
    await audience.flood(STALLING_EVENTS);
    used.push(await ours.memory());
  }
  const [before = 0, withOne = 0, withBoth = 0] = used;
  const flooding = (audience: Audience) => () => rate(READERS * READERS_EVENTS, () => audience.flood(READERS_EVENTS));
  const rates = await interleaved(READERS_ROUNDS, { ours: flooding(beside), bare: flooding(alone) });
  await ours.think(runId, THOUGHTS);
  await checkWoken(stalled, STALLING_EVENTS + READERS_ROUNDS * READERS_EVENTS + THOUGHTS);
  return [
    { name: "a stalled client", unit: "MB", ours: (withBoth - withOne - (withOne - before)) / MB, most: 1 },
    { name: "beside a stalled client", unit: "k/s", ...rates, floor: 0.9 },
  ];
}

/** It was left alone, as the protocol has it: it gets what it is owed, and what is said now. */
async function checkWoken(stalled: Audience, executions: number): Promise<void> {
  const account = await stalled.wake(executions);
  const { faults, thinking, dropped } = account;
  if (account.executions !== executions || thinking + dropped !== THOUGHTS || faults.length > 0) {
    const told = { ...account, faults: faults.slice(0, 10) };
    throw new Error(
      `whoever woke was to have ${executions} executions and ${THOUGHTS} thoughts: ${JSON.stringify(told)}`,
    );
  }
  await stalled.flood(1);
}

async function main(): Promise<boolean> {
  await buildChildren(...["ours", "ws", "socket-io", "crowd"].map((name) => `fanout-children/${name}`));
  const crowd: Crowd = new Child("crowd");
  const ours = await Ours.start(crowd);
  const peers: Peers = { ours, ws: startPeer("ws", crowd), socketIo: startPeer("socket-io", crowd) };
  for (const server of Object.values(peers)) await warmUp(server);
  const figures = [await benchConnections(peers)];
  for (const size of SIZES) figures.push(...(await benchFanOut(peers, size)));
  figures.push(...(await benchStalled(ours)));
  return report(figures);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  endChildren();
}
process.exit();
