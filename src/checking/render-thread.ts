import { parentPort, workerData } from "node:worker_threads";
import { sandboxed } from "./sandboxed.ts";

// A thread that opens one interface, tells what came of it, and ends.

parentPort?.postMessage(await sandboxed(workerData));
