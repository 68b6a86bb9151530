import { parentPort, workerData } from "node:worker_threads";
import { DragomanError, messageOf } from "../../core/errors.ts";
import { type InterfaceOrder, interfaceWork } from "./work.ts";
import type { Answer } from "./worked.ts";

// A thread that does one piece of work, tells what came of it, and ends.

function answer({ name, given }: InterfaceOrder): Answer {
  try {
    return { result: (interfaceWork[name] as (order: unknown) => unknown)(given) };
  } catch (error) {
    if (!(error instanceof DragomanError)) return { fault: messageOf(error) };
    const { code, message, data } = error;
    return { error: { code, message, data } };
  }
}

parentPort?.postMessage(answer(workerData));
