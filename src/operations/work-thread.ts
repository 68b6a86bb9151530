import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../core/errors.ts";
import { done, type WorkDone, type WorkOrder } from "./work.ts";

// A thread that does one piece of work, tells what came of it, and ends.

function answer(order: WorkOrder): WorkDone {
  try {
    return { result: done(order) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

parentPort?.postMessage(answer(workerData));
