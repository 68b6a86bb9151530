import fc from "fast-check";
import { expect, test } from "vitest";
import { settle } from "../../testing/scripted.ts";
import { CountedClock, type MemoryRuntime, MemoryRuntimes, type SentLine } from "../../testing/studio-host-memory.ts";
import { nextStates } from "./host-states.ts";
import { type HostState, StudioHost } from "./index.ts";
import { retryTable } from "./retry-table.ts";

// Whatever a runtime, its user and time do, in any order: every request is settled once, by an answer to the try that is under way; no two
// tries of it are under way at once; there are no more of them than the document's table has; and after the end nothing is left.

const methods = ["generate", "customize", "chat"] as const;
type RequestMethod = (typeof methods)[number];

/** A request that was written, and what the runtime did about it. */
interface Try {
  runtime: MemoryRuntime;
  line: SentLine;
  isAnswered: boolean;
  /** Whether it was told in which run it is. */
  isStarted: boolean;
  asks: string[];
  wasAsked: boolean;
}

interface Made {
  method: RequestMethod;
  giveUp: AbortController;
  tries: Try[];
  outcomes: unknown[];
}

class World {
  readonly clock = new CountedClock();
  readonly runtimes = new MemoryRuntimes(this.clock);
  readonly host = new StudioHost(
    { clientName: "model", clientVersion: "1" },
    { connect: this.runtimes.connect },
    { clock: this.clock },
  );
  readonly made: Made[] = [];
  readonly states: HostState[] = ["stopped"];
  readonly #seen = new Map<MemoryRuntime, number>();
  #asks = 0;
  #release: (() => void) | undefined;

  constructor() {
    this.host.on("state", ({ state }) => this.states.push(state));
  }

  make(method: RequestMethod): void {
    const made: Made = { method, giveUp: new AbortController(), tries: [], outcomes: [] };
    const number = this.made.push(made) - 1;
    const params = { spec: {}, format: "react", currentCode: "", prompt: "", message: "", number } as never;
    const done = (outcome: unknown) => made.outcomes.push(outcome);
    this.host.call(method, params, { signal: made.giveUp.signal }).then(done, done);
  }

  /** What was written since it was last looked at, as tries; each as it is written is the only one of its request. */
  look(): void {
    for (const runtime of this.runtimes.all) {
      const seen = this.#seen.get(runtime) ?? 0;
      for (const line of runtime.sent.slice(seen)) this.#lookAt(runtime, line);
      this.#seen.set(runtime, runtime.sent.length);
    }
    expect(this.runtimes.all.filter(({ isOver }) => !isOver).length).toBeLessThanOrEqual(1);
    for (const { outcomes } of this.made) expect(outcomes.length).toBeLessThanOrEqual(1);
  }

  /** Those that the runtime which is there works on. */
  get underWay(): Try[] {
    return this.made.flatMap(({ tries }) => tries).filter((one) => !this.#isOver(one));
  }

  /** Those that nobody waits for any more. */
  get over(): Try[] {
    return this.made.flatMap(({ tries }) => tries).filter((one) => this.#isOver(one));
  }

  /** Whether the next process answers `initialize`. */
  greetOrNot(): void {
    this.runtimes.greet = !this.runtimes.greet;
  }

  /** Whether a process that is to end takes its time. */
  holdOrRelease(): void {
    const release = this.#release;
    this.#release = undefined;
    if (release) release();
    else this.runtimes.closing = new Promise((resolve) => (this.#release = resolve));
  }

  async end(): Promise<void> {
    this.#release?.();
    await this.host.stop();
    await settle(2);
  }

  nextAsk(): string {
    return `ask ${++this.#asks}`;
  }

  #lookAt(runtime: MemoryRuntime, line: SentLine): void {
    const made = this.made[line.params?.number as number];
    if (!made) return;
    for (const before of made.tries) this.#checkOver(before, runtime, line);
    this.#checkWaited(made, line);
    made.tries.push({ runtime, line, isAnswered: false, isStarted: false, asks: [], wasAsked: false });
    expect(made.tries.length).toBeLessThanOrEqual(retryTable[made.method].waitsMs.length + 1);
  }

  #isOver({ runtime, line, isAnswered }: Try): boolean {
    return isAnswered || runtime.isOver || isCancelled(runtime, line);
  }

  #checkOver(before: Try, runtime: MemoryRuntime, line: SentLine): void {
    const earlier = runtime.sent.slice(0, runtime.sent.indexOf(line));
    if (before.runtime === runtime) {
      const cancelled = earlier.some(
        ({ method, params }) => method === "cancel" && params.requestId === before.line.id,
      );
      expect(before.isAnswered || cancelled).toBe(true);
      return;
    }
    expect(before.runtime.isOver).toBe(true);
    const runId = runOf(before.line);
    const cancelled = earlier.some(({ method, params }) => method === "cancel" && params.runId === runId);
    const isLast = this.made.some(({ tries }) => tries.at(-1) === before);
    if (before.isStarted && isLast) expect(cancelled).toBe(true);
  }

  #checkWaited({ method, tries }: Made, line: SentLine): void {
    const before = tries.at(-1);
    if (!before) return;
    expect(line.at - before.line.at).toBeGreaterThanOrEqual(retryTable[method].waitsMs[tries.length - 1] ?? 0);
  }

  /** Nothing is worked on for longer than it may be, but where somebody was asked, or the pipe was full. */
  checkTimes(): void {
    for (const { method, tries } of this.made) {
      for (const one of tries.filter(({ wasAsked, runtime }) => !wasAsked && runtime.hasRoom)) {
        if (!this.#isOver(one))
          expect(this.clock.now() - one.line.at).toBeLessThanOrEqual(retryTable[method].timeoutMs);
      }
    }
  }
}

const isCancelled = (runtime: MemoryRuntime, { id }: SentLine) =>
  runtime.calls("cancel").some(({ params }) => params.requestId === id);
const runOf = ({ params, id }: SentLine) => `run of ${params.number}, ${id}`;

type Action = (world: World) => void;

const pick = <T>(from: T[], at: number): T | undefined => from[at % Math.max(1, from.length)];
const onTry = (act: (one: Try, world: World) => void) =>
  fc.nat(20).map(
    (at): Action =>
      (world) => {
        const one = pick(world.underWay, at);
        if (one) act(one, world);
      },
  );

const gap: Action = (world) => {
  const one = world.underWay[0];
  one?.runtime.chunk(one.line.id, 1_000_000, "x");
};

const always = (act: Action) => fc.constant(act);
const answer = onTry((one) => {
  one.isAnswered = true;
  one.runtime.answer(one.line.id, { answers: one.line.params.number });
});
const refuse = fc.constantFrom(-32000, -32004).chain((code) =>
  onTry((one) => {
    one.isAnswered = true;
    one.runtime.refuse(one.line.id, code);
  }),
);
const begin = onTry((one) => {
  // While the pipe is full it may have been given up: that is told later, and nobody listens any more.
  one.isStarted ||= one.runtime.hasRoom;
  one.runtime.tell("run/started", { requestId: one.line.id, runId: runOf(one.line), sessionId: "s", prompt: "" });
});
const askOrClose = onTry((one, world) => {
  const askId = one.asks.pop();
  if (askId === undefined) one.asks.push(world.nextAsk());
  one.wasAsked = true;
  const about = { requestId: one.line.id, askId: askId ?? one.asks[0], runId: runOf(one.line), sessionId: "s" };
  one.runtime.tell(askId === undefined ? "ask/opened" : "ask/closed", about);
});
const answerLate = fc.nat(20).map(
  (at): Action =>
    (world) => {
      const one = pick(world.over, at);
      one?.runtime.answer(one.line.id, { late: true });
    },
);
const seconds = fc.constantFrom(1, 3, 5, 6, 10, 15, 30, 60);

const actions = fc.oneof(
  {
    weight: 12,
    arbitrary: seconds.map(
      (s): Action =>
        ({ clock }) =>
          clock.advance(s * 1000),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.constantFrom(...methods).map(
      (method): Action =>
        (world) =>
          world.make(method),
    ),
  },
  { weight: 3, arbitrary: answer },
  { weight: 2, arbitrary: refuse },
  { weight: 4, arbitrary: begin },
  { weight: 1, arbitrary: askOrClose },
  { weight: 2, arbitrary: always(gap) },
  { weight: 2, arbitrary: answerLate },
  {
    weight: 1,
    arbitrary: fc.nat(20).map(
      (at): Action =>
        ({ made }) =>
          pick(made, at)?.giveUp.abort(),
    ),
  },
  { weight: 3, arbitrary: always(({ runtimes }) => runtimes.all.at(-1)?.end()) },
  { weight: 1, arbitrary: always(({ runtimes }) => runtimes.all.at(-1)?.fill()) },
  { weight: 3, arbitrary: always(({ runtimes }) => runtimes.all.at(-1)?.drain()) },
  { weight: 1, arbitrary: always((world) => world.greetOrNot()) },
  { weight: 2, arbitrary: always((world) => world.holdOrRelease()) },
  { weight: 4, arbitrary: always(({ host }) => void host.start().catch(() => {})) },
  { weight: 2, arbitrary: always(({ host }) => void host.stop()) },
);

test("every request is settled once, and nothing is worked on twice, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 1, maxLength: 100, size: "max" }), async (list) => {
      const world = new World();
      void world.host.start().catch(() => {});
      for (const act of list) {
        await settle(2);
        world.look();
        act(world);
        await settle(2);
        world.look();
        world.checkTimes();
      }
      await world.end();
      const { made, clock, host, states, runtimes } = world;
      expect([clock.pending, host.state, runtimes.all.every(({ isOver }) => isOver)]).toEqual([0, "stopped", true]);
      for (const [number, { outcomes }] of made.entries()) {
        expect(outcomes).toEqual([outcomes[0] instanceof Error ? expect.any(Error) : { answers: number }]);
      }
      for (const [at, state] of states.slice(1).entries()) expect(nextStates[states[at] ?? state]).toContain(state);
    }),
    { numRuns: 200 },
  );
});
