import { parentPort, workerData } from "node:worker_threads";
import { type DiffLimits, type DiffOrder, lineDiff } from "./line-diff.ts";

// A thread that compares two texts, tells what came of it, and ends.

const { order, limits }: { order: DiffOrder; limits: DiffLimits } = workerData;
parentPort?.postMessage({ diff: lineDiff(order, limits) });
