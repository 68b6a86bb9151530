import { parentPort, workerData } from "node:worker_threads";
import { readCode } from "./read-code.ts";

// A thread that reads one piece of code, tells what it says, and ends.

parentPort?.postMessage(readCode(workerData));
