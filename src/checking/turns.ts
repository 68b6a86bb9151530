import { availableParallelism } from "node:os";
import { Gate } from "../core/gate.ts";

/** Threads and processes that check take turns: more at once would only wait for each other. */
export const turns = new Gate(Math.max(1, Math.min(4, availableParallelism())));
