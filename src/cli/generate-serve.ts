import { announceServer } from "../access/running-servers.ts";
import { messageOf } from "../core/errors.ts";
import type { Output } from "./generate-progress.ts";
import type { Parts } from "./parts.ts";
import { toldToEnd } from "./serve-ending.ts";
import { openInBrowser } from "./serve-open.ts";
import { boundedOutput } from "./serve-output.ts";
import { beginInterface, type InterfaceWish } from "./serve-preview.ts";
import { openServing, type Serving } from "./serve-serving.ts";
import { stayingAlive } from "./staying-alive.ts";

interface ServeInterfaceOptions {
  parts: Parts;
  wish: InterfaceWish;
  workspace: string;
  port?: number;
  open: boolean;
}

/** Nothing is under way that would be worth more. */
const GRACE_MS = 1000;
const LONGEST_FLUSH_MS = 1000;

/** Shows an interface in the preview of a server of its own, until it is told to end. Resolves with the exit code. */
export async function serveInterface(options: ServeInterfaceOptions, stderr: Output): Promise<number> {
  const output = boundedOutput(process.stderr);
  const serving = await openServing({ ...usual, ...options, port: options.port ?? 0 }, output);
  try {
    return await serveUntilTold(serving, options, stderr);
  } finally {
    await serving.close(GRACE_MS);
    await output.flushed(LONGEST_FLUSH_MS);
  }
}

const usual = {
  host: "127.0.0.1",
  announce: false,
  untilStdinEnds: false,
  allowHost: [],
  withoutTls: false,
  logLevel: "error" as const,
};

async function serveUntilTold(serving: Serving, options: ServeInterfaceOptions, stderr: Output): Promise<number> {
  const { runtime, services, about } = serving;
  const onHurry = () => void runtime.stop(0, { leaveWaiting: true }).catch(() => {}); // whoever waits for it is told
  const told = toldToEnd({ untilStdinEnds: false, onHurry });
  const { url } = await serving.http.listen({ port: options.port ?? 0 });
  const { home, workspace, version } = about;
  const startedAt = new Date().toISOString();
  const retract = await announceServer(home, { url, pid: process.pid, workspace, version, startedAt });
  try {
    const { sessionId } = await beginInterface(services, options.wish, {});
    const newLink = () => `${url}/sign-in?code=${serving.newLink()}&to=preview#${sessionId}`;
    stderr.write(`Look at it, change it by words, connect it to the API: ${newLink()} (once, within 10 minutes)\n`);
    stderr.write("Ctrl-C ends it. dragoman serve shows it again, at /preview.\n");
    const tellFailure = (error: Error) => stderr.write(`The browser could not be opened: ${messageOf(error)}\n`);
    if (options.open) openInBrowser(newLink(), home, tellFailure);
    return await stayingAlive(told);
  } finally {
    retract();
  }
}
