import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Beat } from "./wires/wire.ts";

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Half of an answer, and the connection is gone. */
export function sendTorn(response: ServerResponse, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

/** Sends what comes as server-sent events, as fast as the client reads, until it is told or the client has gone. */
export async function sendStream(response: ServerResponse, beats: Iterable<Beat>, pieceMs: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const beat of beats) {
    if (response.destroyed) return;
    if (beat === "pause") await waited(response, pieceMs);
    else if (beat === "cut") return cut(response);
    else if ("waitMs" in beat) await waited(response, beat.waitMs);
    else if (!response.write(eventText(beat))) await drained(response);
  }
  response.end();
}

function eventText({ send, event }: { send: unknown; event?: string }): string {
  const data = typeof send === "string" ? send : JSON.stringify(send);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** What was sent before still arrives, so that the answer ends in its middle and not before it. */
function cut(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.write(": \n", () => {
      response.destroy();
      resolve();
    });
  });
}

async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once("close", leave);
  await once(response, "drain", { signal: gone.signal }).catch(() => {});
  response.off("close", leave);
}

/** Resolves after so long, or when the client has gone. */
export function waited(response: ServerResponse, ms: number): Promise<void> {
  if (ms === 0 || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      response.off("close", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    response.once("close", end);
  });
}
