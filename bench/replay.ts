import { setTimeout as pause } from "node:timers/promises";
import { endChildren } from "./children.ts";
import type { Place } from "./fanout-children/crowd.ts";
import { Audience, buildChildren, Child, type Crowd, Ours } from "./fanout-peers.ts";
import type { BareCommand } from "./replay-children/bare.ts";
import { type Figure, median, report } from "./report.ts";

// A client that comes back to a run and has 50 000 messages to catch up with, at `dragoman serve` as it is: they are folded anew from the
// events in the log. Against a server whose rows are the messages as they are sent, which it reads and sends, a frame each. In turns
// in one run.
//
//   first    from the connect until the first message after what the connection itself says
//   silence  for someone else, who watches another run of the same server, in which something is said every few milliseconds: the
//            longest time in which nothing came, beyond that rhythm, while there is a replay, and for as long while there is none
//            (the bare side of that line). The latter is the machine's own: where it is near the bound, the machine is too busy
//
// As in the bench of the fan-out, each event is a message, and the clients count frames in processes of their own.

const ROUNDS = 11;
const REPLAYED = 50_000;
/** What the client has had before. */
const RECEIVED = 100;
const BEAT_MS = 4;

interface Replayed {
  ms: number;
  firstMs: number;
}

/** The longest silence beyond the rhythm, while the work is done. */
async function silenceDuring(listener: Audience, work: () => Promise<unknown>): Promise<number> {
  await listener.silence();
  await work();
  return Math.max(0, (await listener.silence()) - BEAT_MS);
}

async function startBare(): Promise<Place> {
  return new Child<BareCommand>("bare").call<Place>({ do: "keep", messages: REPLAYED });
}

interface Round {
  bare: Replayed;
  ours: Replayed;
  /** Of the other client: while there was a replay, and while there was none. */
  during: number;
  without: number;
}

async function main(): Promise<boolean> {
  await buildChildren("fanout-children/ours", "fanout-children/crowd", "replay-children/bare");
  const crowd: Crowd = new Child("crowd");
  const elsewhere: Crowd = new Child("crowd");
  const bare = await startBare();
  const server = await Ours.start(crowd);
  const [runId, other] = [await server.newRun(), await server.newRun()];
  await server.flood(runId, RECEIVED + REPLAYED);
  const beat = (events: number) => server.beat(other, events, BEAT_MS);
  const listener = await Audience.of(elsewhere, server.place(other), 1, beat);
  void beat(Number.MAX_SAFE_INTEGER);
  const replay = (place: Place) => crowd.call<Replayed>({ do: "replay", place, frames: REPLAYED });
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await replay(bare);
    let ours: Replayed = { ms: 0, firstMs: 0 };
    const during = await silenceDuring(listener, async () => {
      ours = await replay(server.place(runId, RECEIVED - 1));
    });
    const without = await silenceDuring(listener, () => pause(ours.ms));
    rounds.push({ bare: theirs, ours, during, without });
  }
  return report(figuresOf(rounds));
}

function figuresOf(rounds: Round[]): Figure[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of));
  const worst = (of: (round: Round) => number) => Math.max(...rounds.map(of));
  const secondWorst = (of: (round: Round) => number) => rounds.map(of).sort((a, b) => b - a)[1] ?? Number.NaN;
  const rates = { ours: REPLAYED / middle(({ ours }) => ours.ms), bare: REPLAYED / middle(({ bare }) => bare.ms) };
  const firsts = { ours: middle(({ ours }) => ours.firstMs), bare: middle(({ bare }) => bare.firstMs) };
  const [during, without] = [({ during: ms }: Round) => ms, ({ without: ms }: Round) => ms];
  return [
    { name: "replay", unit: "k/s", ...rates, floor: 0.8 },
    { name: "the first message", unit: "ms", ...firsts, most: 10 },
    { name: "longest silence for others", unit: "ms", ours: middle(during), bare: middle(without), most: 20 },
    { name: "the same in the worst round", unit: "ms", ours: worst(during), bare: worst(without) },
    // What the machine itself stands still for is not the replay's, and one round of eleven may meet something else.
    { name: "but for one, less without", unit: "ms", ours: secondWorst(during) - secondWorst(without), most: 20 },
  ];
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  endChildren();
}
process.exit();
