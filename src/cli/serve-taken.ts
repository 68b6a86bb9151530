import { resolve } from "node:path";
import type { RunningServer } from "../access/running-servers.ts";
import { printable, shellWord } from "../config/printable.ts";
import { DragomanError } from "../core/errors.ts";
import type { ServeOptions } from "./serve.ts";

/** A server of ours that has the port will do in place of a second one only if it is what was asked for. */
export function checkSame(running: RunningServer, options: ServeOptions): void {
  const { url, pid, workspace } = running;
  const there = `A server of yours has the port already: ${url} (pid ${pid})`;
  if (workspace !== options.workspace) {
    const another = `dragoman serve --port 0 --workspace ${shellWord(options.workspace)}`;
    throw new DragomanError(
      "conflict",
      `${there} serves ${printable(workspace)}. For a server of this folder: ${another}`,
    );
  }
  const unknown = withoutEffect(running, options).join(", ");
  if (unknown === "") return;
  const message = `${there} serves this folder, but was started without your ${unknown}.`;
  throw new DragomanError("conflict", `${message} Give --port 0 for another one, or end that one first.`);
}

const has = (place: string | number | undefined) => `it has ${place === undefined ? "none" : printable(String(place))}`;

/** Where something wants to listen. */
interface Wanted {
  port?: number;
  socket?: string;
}

/** Says which server of ours is there, if one is; the problem as it was if not. */
export function takenBy(servers: RunningServer[], problem: unknown, { port, socket }: Wanted): unknown {
  if (!(problem instanceof DragomanError) || problem.code !== "conflict") return problem;
  const isThere = ({ url, live = {} }: RunningServer) =>
    (port !== undefined && [portOf(url), live.port].includes(port)) ||
    (socket !== undefined && live.socket === resolve(socket));
  const server = servers.find(isThere);
  if (!server) return problem;
  const { url, pid, workspace } = server;
  const who = `our server ${url} (pid ${pid}), which serves ${printable(workspace)}`;
  const message = problem.message.replace(/^Another program/, `Y${who},`).replace("another program", `y${who}`);
  return new DragomanError("conflict", message);
}

export function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return Number(port || (protocol === "https:" ? 443 : 80));
}

/** Two ports that are one are told before anything is made. */
export function checkPorts({ port, livePort }: Pick<ServeOptions, "port" | "livePort">): void {
  if (port === 0 || port !== livePort) return;
  const message = `--port and --live-port are both ${port}. Give another --live-port, or 0 for any free one.`;
  throw new DragomanError("invalid_params", message);
}

/** What was given and could not be had from a server that is running already. */
function withoutEffect({ live = {} }: RunningServer, options: ServeOptions): string[] {
  const { callback, engine, model, untilStdinEnds, allowHost, tlsCert, host, liveSocket, livePort } = options;
  const given: [option: string, isGiven: boolean][] = [
    ["--callback", callback !== undefined],
    ["--engine", engine !== undefined],
    ["--model", model !== undefined],
    ["--until-stdin-ends", untilStdinEnds],
    ["--allow-host", allowHost.length > 0],
    ["--tls-cert", tlsCert !== undefined],
    ["--host", !["127.0.0.1", "localhost"].includes(host)],
    [`--live-socket (${has(live.socket)})`, liveSocket !== undefined && resolve(liveSocket) !== live.socket],
    [
      `--live-port (${has(live.port)})`,
      livePort !== undefined && !(livePort === 0 ? live.port !== undefined : livePort === live.port),
    ],
  ];
  return given.flatMap(([option, isGiven]) => (isGiven ? [option] : []));
}
