import fc from "fast-check";
import { expect, test } from "vitest";
import { foldAll, profilesOf } from "../dialects/contract.ts";
import { dialects } from "../dialects/index.ts";
import { faultsOf } from "../testing/check-log.ts";
import { settle } from "../testing/scripted.ts";
import { type Act, type Client, type Ending, NODES, SECRET, World } from "../testing/world.ts";
import type { Event } from "./events.ts";

// Random interleavings of prompts, cancels, answers and expiries on several nodes, of crashes, of slow and vanishing clients. Whatever happens, the log
// keeps the invariants, and every client was told what the log says.

const act = fc.constantFrom<Act>("think", "say", "tool", "ask", "secret", "wait");
const ending = fc.constantFrom<Ending>("complete", "complete", "throw", "hang", "ignore");
const program = fc.record({ acts: fc.array(act, { maxLength: 8, size: "max" }), ending });
const index = fc.nat(20);

const at = fc.nat(NODES - 1);

type Step = (world: World) => unknown;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(at, program, fc.constantFrom("queue" as const, "refuse" as const)).map(
      ([n, p, b]) =>
        (w: World) =>
          w.prompt(n, p, b),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(at, index).map(
      ([n, i]) =>
        (w: World) =>
          w.cancel(n, i),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(at, index, fc.boolean()).map(
      ([n, i, ok]) =>
        (w: World) =>
          w.answer(n, i, ok),
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(100, 2000, 3000, 5000).map((ms) => (w: World) => w.clock.advance(ms)) },
  { weight: 1, arbitrary: fc.constant((w: World) => w.clock.set(w.clock.now() - 60_000)) },
  { weight: 5, arbitrary: at.map((n) => (w: World) => w.attach(n)) },
  { weight: 2, arbitrary: at.map((n) => (w: World) => w.detach(n)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(at, fc.nat(dialects.length - 1), fc.boolean(), fc.boolean())
      .map(([n, d, slow, most]) => (w: World) => {
        const dialect = dialects[d];
        if (dialect) w.watch(n, dialect, profilesOf(dialect)[most ? "most" : "least"], slow);
      }),
  },
  { weight: 3, arbitrary: index.map((i) => (w: World) => one(w, i, (client) => w.vanish(client))) },
  { weight: 3, arbitrary: index.map((i) => (w: World) => one(w, i, (client) => w.comeBack(client))) },
  { weight: 3, arbitrary: index.map((i) => (w: World) => one(w, i, (client) => client.sink.drain())) },
  { weight: 2, arbitrary: at.map((n) => (w: World) => w.crash(n)) },
  { weight: 8, arbitrary: fc.nat(15).map((turns) => () => settle(turns)) },
);

function one(world: World, place: number, then: (client: Client) => void): void {
  const client = world.clients[place % Math.max(1, world.clients.length)];
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

/** What was acknowledged is in the log, once; what is in the log was acknowledged, unless whoever gave it did not wait for that. */
function checkAnswers({ answered, unsure }: World, events: Event[]): void {
  const logged = closedBy(events) as number[];
  expect(logged.length).toBe(new Set(logged).size);
  expect([...answered].filter((id) => !logged.includes(id))).toEqual([]);
  expect(logged.filter((id) => !answered.has(id) && !unsure.has(id))).toEqual([]);
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
      fc.boolean(),
      fc.array(step, { maxLength: 80, size: "max" }),
      async (delays, resumes, steps) => {
        const world = await World.begin(delays, resumes);
        for (const take of steps) await take(world);
        await world.end();
        const events = await world.log();
        expect(faultsOf(events, { ended: true })).toEqual([]);
        expect(world.surprises).toEqual([]);
        checkAnswers(world, events);
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
