import { isMainThread, parentPort, workerData } from "node:worker_threads";

// A thread for the test of `askThread`, which does as it is told.

const kept: number[][] = [];
const orders: Record<string, () => void> = {
  answer: () => parentPort?.postMessage({ isMain: isMainThread }),
  end: () => process.exit(),
  fail: () => {
    throw new Error("It fell over.");
  },
  fill: () => {
    for (;;) kept.push(new Array(1000).fill(kept.length));
  },
  "turn for ever": () => {
    for (;;) kept.length = 0;
  },
};

orders[workerData]?.();
