import { LINK_MS } from "../access/sign-ins.ts";
import { shellWord } from "../config/printable.ts";

const LINK_MINUTES = LINK_MS / 60_000;

/** For a program that started us: it reads the port and where the token is, and never the token itself. */
export function announcement(port: number, tokenFile: string): string {
  return `SIDECAR_PORT=${port}\nSIDECAR_TOKEN_FILE=${tokenFile}\n`;
}

interface Serving {
  url: string;
  workspace: string;
  signInUrl: string;
}

interface FirstServing extends Serving {
  tokenFile: string;
  /** The admin token, when it was made just now. */
  firstToken?: string;
}

/** For a person. */
export function welcome({ url, workspace, signInUrl, tokenFile, firstToken }: FirstServing): string {
  return [
    `Dragoman serves ${workspace} at ${url}`,
    signInLine(signInUrl),
    `Programs of yours find their token in ${tokenFile}`,
    ...(firstToken === undefined ? [] : [`It is the admin token, shown this once: ${firstToken}`]),
    "",
  ].join("\n");
}

/** For a person who started it a second time. */
export function already(running: Serving & { pid: number }, wanted: string): string {
  const { url, workspace, signInUrl, pid } = running;
  const elsewhere = `For ${wanted} as well: dragoman serve --port 0 --workspace ${shellWord(wanted)}`;
  return [
    `Dragoman already serves ${workspace} at ${url} (pid ${pid})`,
    signInLine(signInUrl),
    ...(wanted === workspace ? [] : [elsewhere]),
    "",
  ].join("\n");
}

const signInLine = (signInUrl: string) => `Sign in: ${signInUrl} (once, within ${LINK_MINUTES} minutes)`;
