import { parentPort, workerData } from "node:worker_threads";
import { asDragomanError } from "../../core/errors.ts";
import { type InterfaceOrder, interfaceWork } from "./work.ts";

// A thread that does one piece of work, tells what came of it, and ends.

function answer({ name, given }: InterfaceOrder) {
  try {
    return { result: (interfaceWork[name] as (order: unknown) => unknown)(given) };
  } catch (error) {
    const { code, message, data } = asDragomanError(error);
    return { error: { code, message, data } };
  }
}

parentPort?.postMessage(answer(workerData));
