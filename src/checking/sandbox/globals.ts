import { fail, guarded, textOf } from "./failures.ts";
import { TimerQueue } from "./timer-queue.ts";

// What everything else needs already while it is being loaded.

export const timers = new TimerQueue();

type Callback = (...args: unknown[]) => void;

const FRAME_MS = 16;

const called = (callback: unknown, args: unknown[]) => () => {
  if (typeof callback === "function") guarded(() => (callback as Callback)(...args));
};
const clear = (id: unknown) => timers.remove(id);
const nothing = () => {};

const time = {
  setTimeout: (callback: unknown, delay?: number, ...args: unknown[]) =>
    timers.add(called(callback, args), Number(delay)),
  setInterval: (callback: unknown, delay?: number, ...args: unknown[]) =>
    timers.add(called(callback, args), Number(delay), Number(delay)),
  clearTimeout: clear,
  clearInterval: clear,
  requestAnimationFrame: (callback: Callback) => timers.add(() => called(callback, [timers.now])(), FRAME_MS),
  cancelAnimationFrame: clear,
  requestIdleCallback: (callback: Callback) =>
    timers.add(called(callback, [{ didTimeout: false, timeRemaining: () => 10 }]), 1),
  cancelIdleCallback: clear,
  queueMicrotask: (callback: unknown) => void Promise.resolve().then(called(callback, [])),
};

const started = Date.now();
const performance = { timeOrigin: started, now: () => Date.now() - started, mark: nothing, measure: nothing };

const unheard = "log info debug warn trace dir table group groupCollapsed groupEnd time timeEnd count".split(" ");
const console = Object.fromEntries(unheard.map((method) => [method, nothing]));

const byte = () => Math.floor(Math.random() * 256);

const crypto = {
  getRandomValues: <Values extends { length: number; [index: number]: number }>(values: Values) => {
    for (let index = 0; index < values.length; index += 1) values[index] = byte() * 0x1000000 + byte();
    return values;
  },
  randomUUID: () =>
    "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
      (Number(digit) ^ (byte() & (15 >> (Number(digit) / 4)))).toString(16),
    ),
};

Object.assign(globalThis, time, {
  window: globalThis,
  self: globalThis,
  performance,
  crypto,
  console: { ...console, error: (...said: unknown[]) => fail("report", said.map(textOf).join(" "), new Error().stack) },
  reportError: (error: unknown) => fail("report", textOf(error)),
});
