import type { SessionLog } from "../core/engine.ts";

/** Of a session in which nothing has happened. */
export const emptyLog: SessionLog = { read: async () => [], artifact: async () => undefined };
