import { readFileSync } from "node:fs";
import type { Event } from "../src/core/events.ts";
import type { Dialect } from "../src/dialects/dialect.ts";
import { dialects } from "../src/dialects/index.ts";
import { readRecording } from "../src/engines/recording.ts";
import { type Figure, median, report } from "./report.ts";

// Folding a log and serialising the messages, against JSON.stringify of those messages, made beforehand, and nothing else. A
// dialect that collects deltas makes few messages of many events: there the events a second are what counts.
//
//   tokens  5000 deltas of a model, the commonest case by far
//   tools   a run with thinking, tools, a plan and an ask, where nearly every event is a message

const ROUNDS = 15;
const EVENTS = 50_000;

const load = (name: string) =>
  readRecording(readFileSync(new URL(`../recordings/${name}.jsonl`, import.meta.url), "utf8")).events;

const logs: Record<string, Event[]> = { tokens: load("many-deltas"), tools: load("demo") };

/** Thousands in a second. */
function rate(events: Event[], work: (events: Event[]) => number): number {
  const times = Math.ceil(EVENTS / events.length);
  const start = performance.now();
  let bytes = 0;
  for (let time = 0; time < times; time++) bytes += work(events);
  if (bytes === 0) throw new Error("nothing was made");
  return (times * events.length) / (performance.now() - start);
}

const open = (dialect: Dialect) => dialect.fold("0b0d9a4e-1a55-4a3f-9c0e-2f6a3f1f7c11");

function serialising(dialect: Dialect, events: Event[]) {
  const fold = open(dialect);
  const messages = events.flatMap((event) => fold.push(event).map((frame) => frame.message));
  return () => messages.reduce((bytes: number, message) => bytes + JSON.stringify(message).length, 0);
}

function folding(dialect: Dialect) {
  return (events: Event[]) => {
    const fold = open(dialect);
    let bytes = 0;
    for (const event of events) for (const frame of fold.push(event)) bytes += frame.text.length;
    return bytes;
  };
}

const figures: Figure[] = [];
for (const [name, events] of Object.entries(logs)) {
  const sides = dialects.map((dialect) => ({
    dialect,
    fold: folding(dialect),
    serialise: serialising(dialect, events),
    ours: [] as number[],
    bare: [] as number[],
  }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { fold, serialise, ours, bare } of sides) {
      ours.push(rate(events, fold));
      bare.push(rate(events, serialise));
    }
  }
  for (const { dialect, ours, bare } of sides) {
    const rates = { ours: median(ours), bare: median(bare) };
    figures.push({ name: `fold ${name}, ${dialect.name}`, unit: "k events/s", ...rates, floor: 0.4, enough: 300 });
  }
}
process.exitCode = report(figures) ? 0 : 1;
