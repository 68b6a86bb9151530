import fc from "fast-check";
import { expect, test } from "vitest";
import { foldAll, profilesOf } from "../dialects/contract.ts";
import { dialects } from "../dialects/index.ts";
import { faultsOf } from "../testing/check-log.ts";
import { settle } from "../testing/scripted.ts";
import { type Act, type Client, type Ending, SECRET, World } from "../testing/world.ts";
import type { Event } from "./events.ts";

// Random interleavings of prompts, cancels, answers, expiries, takeovers, slow and vanishing clients. Whatever happens, the log
// keeps the invariants, and every client was told what the log says.

const act = fc.constantFrom<Act>("think", "say", "tool", "ask", "secret", "wait");
const ending = fc.constantFrom<Ending>("complete", "complete", "throw", "hang", "ignore");
const program = fc.record({ acts: fc.array(act, { maxLength: 8, size: "max" }), ending });
const index = fc.nat(20);

type Step = (world: World) => unknown;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(program, fc.constantFrom("queue" as const, "refuse" as const)).map(
      ([p, b]) =>
        (w: World) =>
          w.prompt(p, b),
    ),
  },
  { weight: 3, arbitrary: index.map((i) => (w: World) => w.cancel(i)) },
  {
    weight: 5,
    arbitrary: fc.tuple(index, fc.boolean()).map(
      ([i, ok]) =>
        (w: World) =>
          w.answer(i, ok),
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(100, 2000, 3000, 5000).map((ms) => (w: World) => w.clock.advance(ms)) },
  { weight: 1, arbitrary: fc.constant((w: World) => w.clock.set(w.clock.now() - 60_000)) },
  { weight: 5, arbitrary: fc.constant((w: World) => w.attach()) },
  { weight: 2, arbitrary: fc.constant((w: World) => w.detach()) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(dialects.length - 1), fc.boolean(), fc.boolean())
      .map(([d, slow, most]) => (w: World) => {
        const dialect = dialects[d];
        if (dialect) w.watch(dialect, profilesOf(dialect)[most ? "most" : "least"], slow);
      }),
  },
  { weight: 3, arbitrary: index.map((i) => (w: World) => one(w, i, (client) => w.vanish(client))) },
  { weight: 3, arbitrary: index.map((i) => (w: World) => one(w, i, (client) => w.comeBack(client))) },
  { weight: 3, arbitrary: index.map((i) => (w: World) => one(w, i, (client) => client.sink.drain())) },
  { weight: 1, arbitrary: fc.constant((w: World) => w.takeOver()) },
  { weight: 8, arbitrary: fc.nat(15).map((turns) => () => settle(turns)) },
);

function one(world: World, at: number, then: (client: Client) => void): void {
  const client = world.clients[at % Math.max(1, world.clients.length)];
  if (client) then(client);
}

const closedBy = (events: Event[]) =>
  events.flatMap((event) => (event.type === "ask.closed" && event.outcome === "answered" ? [event.by?.requestId] : []));

function checkRuns(world: World, events: Event[]): void {
  const has = (runId: string, ...types: string[]) =>
    events.some((e) => types.includes(e.type) && "runId" in e && e.runId === runId);
  for (const runId of world.accepted) expect(has(runId, "run.started", "run.queued")).toBe(true);
  for (const event of events) {
    if (event.type !== "run.cancelling") continue;
    expect(world.cancelled).toContain(event.runId); // a disconnect is never a cancel
    expect(has(event.runId, "run.completed")).toBe(false);
  }
}

/** Every message once and in order, over all its connections; only a slow client may have lost thinking, and only thinking. */
function checkClient(world: World, events: Event[], client: Client): void {
  const { dialect, profile, got, slow } = client;
  const asWritten = (frames: { seq: number; k: number; text: string; ask?: string }[]) =>
    frames.filter((frame) => !frame.ask).map(({ seq, k, text }) => `${seq}.${k} ${text}`); // open asks are put again
  const whole = foldAll(dialect, events, profile, world.sessionId);
  const seen = new Set(asWritten(got));
  const expected = slow ? whole.filter((frame) => !frame.skippable || seen.has(asWritten([frame])[0] ?? "")) : whole;
  expect(asWritten(got)).toEqual(asWritten(expected));
  expect(client.sink.mostUnsent.messages).toBeLessThanOrEqual(100 + 500);
}

test("the invariants hold, whatever is done and whenever", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 6 }),
      fc.array(step, { maxLength: 80, size: "max" }),
      async (delays, steps) => {
        const world = await World.begin(delays);
        for (const take of steps) await take(world);
        await world.end();
        const events = await world.log();
        expect(faultsOf(events, { ended: true })).toEqual([]);
        expect(world.surprises).toEqual([]);
        expect(new Set(closedBy(events))).toEqual(new Set(world.answered));
        expect(closedBy(events).length).toBe(world.answered.size);
        checkRuns(world, events);
        expect(JSON.stringify(events)).not.toContain(SECRET);
        const said = events.map((event) => (event.type === "text.delta" ? event.text : "")).join("");
        expect(said).not.toContain(SECRET);
        for (const client of world.clients) checkClient(world, events, client);
      },
    ),
    { numRuns: Number(process.env.DRAGOMAN_PROPERTY_RUNS ?? 150) },
  );
});
