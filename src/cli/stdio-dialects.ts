import type { Writable } from "node:stream";
import type { DragomanError } from "../core/errors.ts";
import type { Services } from "../dialects/ui/server/index.ts";
import type { Source } from "../transports/line-link.ts";

/** Whoever started this process, as it is spoken with. */
interface Connection {
  /** It is gone or going: it answers nothing any more, but gets what is still said. */
  detach(): void;
  /** Resolves when everything that it sent has been dealt with. */
  settled(): Promise<void>;
  /** Resolves when it has been sent everything, or cannot be. */
  drained(): Promise<void>;
  close(): void;
}

interface Events {
  /** It sends no more, reads no more, or wants this process to end. */
  onEnd(): void;
  /** It was told of something that ends the connection. */
  onFatal(): void;
  onFault(error: DragomanError): void;
  onError(error: unknown): void;
}

interface Around {
  input: Source;
  output: Writable;
  /** Those of `ui` have everything that the others take. */
  services: Services;
}

export type Speak = (events: Events) => Connection;

/** What can be spoken on stdio, each loaded when it is. */
export const stdioDialects: Record<string, () => Promise<(around: Around) => Speak>> = {
  ui: async () => {
    const { connectUi } = await import("../transports/ui-connection.ts");
    return (around) => (events) => connectUi({ ...around, ...events });
  },
  live: async () => {
    const { connectLive } = await import("../transports/live-connection.ts");
    return (around) => (events) => connectLive({ ...around, ...events, over: "pipe", close: events.onFatal });
  },
  studio: async () => {
    const { connectStudio } = await import("../transports/studio-connection.ts");
    return (around) => (events) => connectStudio({ ...around, ...events, onExit: events.onEnd });
  },
};
