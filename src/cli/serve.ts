import { announceServer, runningServers } from "../access/running-servers.ts";
import { DragomanError, messageOf } from "../core/errors.ts";
import type { LogLevel } from "../transports/http/log.ts";
import type { Parts } from "./parts.ts";
import { already, announcement, welcome } from "./serve-announce.ts";
import { toldToEnd } from "./serve-ending.ts";
import { openInBrowser } from "./serve-open.ts";
import { boundedOutput } from "./serve-output.ts";
import { openServing, type Serving } from "./serve-serving.ts";
import { checkPorts, checkSame, portOf, takenBy } from "./serve-taken.ts";
import { requestSignInLink } from "./sign-in-link.ts";
import { stayingAlive } from "./staying-alive.ts";

/** How long a run may go on that is under way when the server is told to end. */
const GRACE_MS = 10_000;
/** A process that was told twice to end ends after this, whatever is left. */
const LONGEST_HURRY_MS = 5000;
const LONGEST_FLUSH_MS = 1000;

export interface ServeOptions {
  parts: Parts;
  workspace: string;
  engine?: string;
  model?: string;
  port: number;
  host: string;
  announce: boolean;
  untilStdinEnds: boolean;
  open: boolean;
  callback?: string;
  allowHost: string[];
  tlsCert?: string;
  tlsKey?: string;
  withoutTls: boolean;
  logLevel: LogLevel;
  liveSocket?: string;
  livePort?: number;
}

interface Address {
  port: number;
  url: string;
  /** Where `live` is spoken besides. */
  live?: { socket?: string; port?: number };
}

/** Serves until it is told to end. What is under way then comes to its end before the process does. */
export async function serve(options: ServeOptions): Promise<void> {
  checkPorts(options);
  const output = boundedOutput(process.stderr);
  process.stdout.on("error", () => {}); // nobody wants to know
  const serving = await openServing(options, output);
  try {
    const address = await listen(serving, options);
    if (address) process.exitCode = await serveAt({ ...address, live: await serving.listenLive() }, serving, options);
  } finally {
    process.stdin.pause(); // whoever has not closed it does not keep us where the start fails late
    await serving.close(0);
    await output.flushed(LONGEST_FLUSH_MS);
  }
  process.exit(); // whoever does not read, or has not closed our stdin, does not keep us
}

/** Resolves with the exit code. */
async function serveAt(address: Address, serving: Serving, options: ServeOptions): Promise<number> {
  const { log, close, runtime } = serving;
  const told = toldToEnd({
    untilStdinEnds: options.untilStdinEnds,
    onHurry: () => {
      log({ level: "info", event: "server.hurried" });
      setTimeout(() => process.exit(), LONGEST_HURRY_MS).unref();
      void runtime.stop(0, { leaveWaiting: true }).catch(() => {}); // whoever waits for it is told
    },
  });
  const { url, live } = address;
  const { home, workspace, version } = serving.about;
  const startedAt = new Date().toISOString();
  const retract = await announceServer(home, { url, pid: process.pid, workspace, version, startedAt, live });
  try {
    tell(address, serving, options);
    log({ level: "info", event: "server.listening", url, workspace, pid: process.pid, version });
    void runtime.lookAfterOthers().catch(() => {}); // a store that fails says so to whoever wants something of it
    const code = await stayingAlive(told);
    process.exitCode = code;
    const message = `What is under way has ${GRACE_MS / 1000} s to end. Told to stop again, it ends at once.`;
    log({ level: "info", event: "server.stopping", graceMs: GRACE_MS, message });
    retract();
    await close(GRACE_MS);
    log({ level: "info", event: "server.stopped" });
    return code;
  } finally {
    retract();
  }
}

function tell({ port, url, live }: Address, serving: Serving, options: ServeOptions): void {
  const { home, workspace, tokenFile, firstToken } = serving.about;
  const newLink = () => `${url}/sign-in?code=${serving.newLink()}`;
  const hint = namelessHint(options);
  if (options.announce) process.stdout.write(announcement(port, tokenFile, live));
  else {
    process.stdout.write(welcome({ url, workspace, signInUrl: newLink(), live, tokenFile, firstToken, hint }));
    serving.tellsToken();
  }
  if (options.announce && hint) serving.log({ level: "warn", event: "server.nameless", message: hint });
  if (options.open) openLink(newLink(), home, serving);
}

/** Whoever listens everywhere is known by no name but those of this machine to itself. */
function namelessHint({ host, allowHost }: ServeOptions): string | undefined {
  if (!/^[0.:]+$/.test(host) || allowHost.length > 0) return undefined;
  return "Other machines are refused until you name what they call this one: --allow-host <name or address>";
}

function openLink(link: string, home: string, { log }: Serving): void {
  openInBrowser(link, home, (error) => log({ level: "warn", event: "browser.failed", error: messageOf(error) }));
}

/** Nothing when a server of ours is there already that will do: then whoever started this one is told of that. */
async function listen(serving: Serving, options: ServeOptions): Promise<Address | undefined> {
  const { port, host, withoutTls, announce, open } = options;
  try {
    return await serving.http.listen({ port, host, withoutTls });
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "conflict") throw error;
    const { home, tokenFile } = serving.about;
    const servers = runningServers(home);
    const running = servers.find(({ url }) => portOf(url) === port);
    if (!running) throw takenBy(servers, error, { port });
    checkSame(running, options);
    if (announce) {
      process.stdout.write(announcement(port, tokenFile, running.live));
      return undefined;
    }
    const newLink = async () => (await requestSignInLink(home, running)).url;
    process.stdout.write(already({ ...running, signInUrl: await newLink() }));
    if (open) openLink(await newLink(), home, serving);
    return undefined;
  }
}
