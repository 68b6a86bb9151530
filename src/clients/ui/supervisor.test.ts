import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RestartOptions, type Supervised, Supervisor } from "./supervisor.ts";
import { UiError } from "./ui-error.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Something to be kept alive that comes up, fails and ends when the test says so. */
class Thing implements Supervised {
  readonly ready: Promise<void>;
  readonly ended: Promise<UiError>;
  readonly closes: unknown[] = [];
  come = () => {};
  fail = (_: UiError) => {};
  end = (_: UiError) => {};

  constructor() {
    this.ready = new Promise((resolve, reject) => ([this.come, this.fail] = [resolve, reject]));
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  isOver = () => false;

  async close(options?: object): Promise<void> {
    this.closes.push(options);
  }
}

function supervised(restart: RestartOptions | false = { delaysMs: [10, 20], healthyAfterMs: 1000 }) {
  const things: Thing[] = [];
  const states: string[] = [];
  let onChange = (_: string) => {};
  const supervisor = new Supervisor<Thing>({
    open: () => {
      const thing = new Thing();
      things.push(thing);
      return thing;
    },
    restart: restart && { random: () => 1, ...restart },
    onChange: ({ state, restartInMs }) => {
      states.push(restartInMs === undefined ? state : `${state} for ${restartInMs}`);
      onChange(state);
    },
  });
  const last = () => things.at(-1) as Thing;
  const moment = () => vi.advanceTimersByTimeAsync(0);
  const crash = async (why = "it tripped") => {
    last().end(new UiError("closed", why));
    await moment();
  };
  const up = async () => {
    last().come();
    await moment();
  };
  return { supervisor, things, states, last, moment, crash, up, on: (act: typeof onChange) => (onChange = act) };
}

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    (error: UiError) => error.message,
  );

test("starts it once, however often it is asked to", async () => {
  const { supervisor, things, states, up } = supervised();
  const starts = [supervisor.start(), supervisor.start()];
  await up();
  await Promise.all([...starts, supervisor.start()]);
  expect([things.length, states]).toEqual([1, ["starting", "running"]]);
});

test("what waits is told when the attempts are used up, and a start begins a new row of them", async () => {
  const { supervisor, states, crash, up } = supervised();
  const starting = supervisor.start();
  await up();
  await starting;
  for (const ms of [10, 20]) {
    await crash();
    await vi.advanceTimersByTimeAsync(ms);
  }
  const waiting = reason(supervisor.live());
  await crash("it tripped for good");
  expect(await waiting).toBe("it tripped for good");
  expect(await reason(supervisor.live())).toBe("it tripped for good");
  const again = supervisor.start();
  await up();
  await again;
  await crash();
  expect(states).toEqual([
    ...["starting", "running", "crashed for 10", "restarting", "crashed for 20", "restarting", "crashed"],
    ...["starting", "running", "crashed for 10"],
  ]);
});

test("with more attempts than delays the last one is waited again, and who is not let in is not tried again", async () => {
  const { supervisor, states, last, crash, up } = supervised({ delaysMs: [10, 20], mostAttempts: 4 });
  const starting = supervisor.start();
  await up();
  await starting;
  for (const ms of [10, 20, 20]) {
    await crash();
    await vi.advanceTimersByTimeAsync(ms);
  }
  await crash();
  expect(states.filter((state) => state.startsWith("crashed"))).toEqual([
    ...["crashed for 10", "crashed for 20", "crashed for 20", "crashed for 20"],
  ]);
  await vi.advanceTimersByTimeAsync(20);
  await up();
  last().end(new UiError("unauthorized", "the token was taken back"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([states.at(-1), await reason(supervisor.live())]).toEqual(["crashed", "the token was taken back"]);
});

test("waits half of each delay and more, at random, so that those who lost one server do not come back at once", async () => {
  const parts = [0, 0.5, 1];
  const restart = { delaysMs: [10, 20, 30], random: () => parts.shift() ?? 0 };
  const { supervisor, states, crash, up } = supervised(restart);
  const starting = supervisor.start();
  await up();
  await starting;
  for (const ms of [5, 15, 30]) {
    await crash();
    await vi.advanceTimersByTimeAsync(ms);
  }
  expect(states.filter((state) => state.startsWith("crashed"))).toEqual([5, 15, 30].map((ms) => `crashed for ${ms}`));
});

test("health counts from the last time it came up, and not over a crash", async () => {
  const { supervisor, states, crash, up } = supervised();
  const starting = supervisor.start();
  await up();
  await starting;
  await vi.advanceTimersByTimeAsync(990);
  await crash();
  await vi.advanceTimersByTimeAsync(10);
  await up();
  await vi.advanceTimersByTimeAsync(900); // as long as it takes the first timer to ring, had it been left
  await crash();
  expect(states.filter((state) => state.startsWith("crashed"))).toEqual(["crashed for 10", "crashed for 20"]);
});

test("one that does not come up is closed at once, and why is told instead of how it ended", async () => {
  const { supervisor, last, moment, crash } = supervised();
  const starting = reason(supervisor.start());
  last().fail(new UiError("timeout", "it does not answer"));
  await moment();
  expect(last().closes).toEqual([{ now: true }]);
  await crash("signal SIGTERM");
  expect([await starting, supervisor.state]).toEqual(["it does not answer", "crashed"]);
});

test("closed is closed: nothing comes up or is started any more, and no timer is left", async () => {
  const { supervisor, things, states, last, up, crash } = supervised();
  const starting = supervisor.start();
  await up();
  await starting;
  expect(vi.getTimerCount()).toBe(1);
  await Promise.all([supervisor.close(), supervisor.close()]);
  expect([last().closes, vi.getTimerCount()]).toEqual([[{ now: false }], 0]);
  await crash();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([things.length, states]).toEqual([1, ["starting", "running", "closed"]]);
  expect(await reason(supervisor.start())).toBe("This client was closed; make a new one");
});

test("one that comes up after it was closed is not running", async () => {
  const { supervisor, states, last, up } = supervised();
  const starting = reason(supervisor.start());
  await supervisor.close();
  await up();
  expect([await starting, last().closes, states]).toEqual([
    "This client was closed",
    [{ now: true }],
    ["starting", "closed"],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("who hears that it starts may close it, and then nothing is opened", async () => {
  const { supervisor, things, states, on } = supervised();
  on((state) => state === "starting" && void supervisor.close());
  expect(await reason(supervisor.start())).toBe("This client was closed");
  expect([things, states]).toEqual([[], ["starting", "closed"]]);
});

test("who hears that it crashed may close it, and it is not started again", async () => {
  const { supervisor, things, states, on, up, crash } = supervised();
  const starting = supervisor.start();
  await up();
  await starting;
  on((state) => state === "crashed" && void supervisor.close());
  await crash();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([things.length, states, vi.getTimerCount()]).toEqual([
    1,
    ["starting", "running", "crashed for 10", "closed"],
    0,
  ]);
});
