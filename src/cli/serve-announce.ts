import { LINK_MS } from "../access/sign-ins.ts";

const LINK_MINUTES = LINK_MS / 60_000;

/** Where `live` is spoken besides HTTP. */
interface LivePlaces {
  socket?: string;
  port?: number;
}

/** For a program that started us: it reads the port and where the token is, and never the token itself. */
export function announcement(port: number, tokenFile: string, { socket, port: livePort }: LivePlaces = {}): string {
  return [
    `SIDECAR_PORT=${port}`,
    `SIDECAR_TOKEN_FILE=${tokenFile}`,
    ...(socket === undefined ? [] : [`LIVE_SOCKET=${socket}`]),
    ...(livePort === undefined ? [] : [`LIVE_PORT=${livePort}`]),
    "",
  ].join("\n");
}

interface Serving {
  url: string;
  workspace: string;
  signInUrl: string;
  live?: LivePlaces;
}

interface FirstServing extends Serving {
  tokenFile: string;
  /** The admin token, when it was made just now. */
  firstToken?: string;
  /** What whoever started it should know besides. */
  hint?: string;
}

/** For a person. */
export function welcome({ url, workspace, signInUrl, live, tokenFile, firstToken, hint }: FirstServing): string {
  return [
    `Dragoman serves ${workspace} at ${url}`,
    signInLine(signInUrl),
    ...liveLines(live),
    `Programs of yours find their token in ${tokenFile}`,
    ...(firstToken === undefined ? [] : [`It is the admin token, shown this once: ${firstToken}`]),
    ...(hint === undefined ? [] : [hint]),
    "",
  ].join("\n");
}

/** For a person who started it a second time. */
export function already({ url, workspace, signInUrl, live, pid }: Serving & { pid: number }): string {
  const first = `Dragoman already serves ${workspace} at ${url} (pid ${pid})`;
  return [first, signInLine(signInUrl), ...liveLines(live), ""].join("\n");
}

function liveLines({ socket, port }: LivePlaces = {}): string[] {
  return [
    ...(socket === undefined ? [] : [`The live protocol, for you alone: ${socket}`]),
    ...(port === undefined ? [] : [`The live protocol, token first: 127.0.0.1:${port}`]),
  ];
}

const signInLine = (signInUrl: string) => `Sign in: ${signInUrl} (once, within ${LINK_MINUTES} minutes)`;
