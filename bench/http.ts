import { endChildren } from "./children.ts";
import { LAST } from "./http-children/payload.ts";
import { buildChildren, call, listen, open, postOf, type Server, startServer } from "./http-peers.ts";
import { interleaved, rate } from "./measure.ts";
import { type Figure, report } from "./report.ts";

// `dragoman serve`, with all of its checks, against Node's own HTTP server that does no more than the same work, in one run: only the
// ratios mean anything.
//
//   requests  JSON-RPC calls with little to do (models.list) over connections that stay open, each waiting for its answer; against a
//             server that parses the same body and makes the same answer.
//   fan-out   a run's events to 100 listeners, each event on disk before anyone hears of it; against a server that keeps none, and
//             writes one buffer, made beforehand, for each event to each listener as fast as they take it.

const ROUNDS = 7;
const CONNECTIONS = 64;
const REQUESTS = 20_000;
const LISTENERS = 100;
const EVENTS = 5_000;
const TAIL = 32;

/** Answers to the same request have the same length, so they are counted and not parsed. */
async function requester(server: Server): Promise<() => Promise<number>> {
  const request = postOf(server, "models.list", {});
  const length = await lengthOfAnswer(server, request);
  let left = 0;
  let answered = 0;
  let done = () => {};
  const next = () => {
    if (left === 0) return false;
    left--;
    return true;
  };
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    let received = 0;
    const socket = open(server, (bytes) => {
      received += bytes.length;
      if (received < length) return;
      received -= length;
      if (++answered === REQUESTS) done();
      else if (next()) socket.write(request);
    });
    return socket;
  });
  return () =>
    rate(REQUESTS, async () => {
      left = REQUESTS;
      answered = 0;
      const all = new Promise<void>((resolve) => {
        done = resolve;
      });
      for (const socket of sockets) if (next()) socket.write(request);
      await all;
    });
}

function lengthOfAnswer(server: Server, request: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const socket = open(server, (bytes) => {
      socket.destroy();
      resolve(bytes.length);
    });
    socket.write(request);
  });
}

/** Every round is a run in the same session, heard by the same listeners. */
async function flooder(server: Server, sessionId: string): Promise<() => Promise<number>> {
  let ended = 0;
  let done = () => {};
  const listener = () => {
    let tail = ""; // what is looked for may come in pieces
    return listen(server, `/stream/${sessionId}`, (bytes) => {
      tail = (tail + bytes.toString("latin1", Math.max(0, bytes.length - TAIL))).slice(-TAIL);
      if (!tail.includes(LAST)) return;
      tail = "";
      if (++ended === LISTENERS) done();
    });
  };
  await Promise.all(Array.from({ length: LISTENERS }, listener));
  return () =>
    rate(EVENTS, async () => {
      ended = 0;
      const all = new Promise<void>((resolve) => {
        done = resolve;
      });
      await call(server, "session.send", { sessionId, prompt: String(EVENTS) });
      await all;
    });
}

async function main(): Promise<boolean> {
  await buildChildren();
  const [ours, bare] = [await startServer("ours"), await startServer("bare")];
  const same = [await call(ours, "models.list", {}), await call(bare, "models.list", {})].map((it) =>
    JSON.stringify(it),
  );
  if (same[0] !== same[1]) throw new Error(`not the same answer: ${same.join(" and ")}`);
  const requests = await interleaved(ROUNDS, { ours: await requester(ours), bare: await requester(bare) });
  const { sessionId } = await call(ours, "session.create", {});
  const events = await interleaved(ROUNDS, {
    ours: await flooder(ours, String(sessionId)),
    bare: await flooder(bare, "any"),
  });
  const figures: Figure[] = [
    { name: "JSON-RPC requests", unit: "k/s", ...requests, floor: 0.7 },
    { name: "fan-out to 100 listeners", unit: "k events/s", ...events, floor: 1 },
  ];
  return report(figures);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  endChildren();
}
process.exit();
