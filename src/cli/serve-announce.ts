import { LINK_MS } from "../access/sign-ins.ts";

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
  /** What whoever started it should know besides. */
  hint?: string;
}

/** For a person. */
export function welcome({ url, workspace, signInUrl, tokenFile, firstToken, hint }: FirstServing): string {
  return [
    `Dragoman serves ${workspace} at ${url}`,
    signInLine(signInUrl),
    `Programs of yours find their token in ${tokenFile}`,
    ...(firstToken === undefined ? [] : [`It is the admin token, shown this once: ${firstToken}`]),
    ...(hint === undefined ? [] : [hint]),
    "",
  ].join("\n");
}

/** For a person who started it a second time. */
export function already({ url, workspace, signInUrl, pid }: Serving & { pid: number }): string {
  return [`Dragoman already serves ${workspace} at ${url} (pid ${pid})`, signInLine(signInUrl), ""].join("\n");
}

const signInLine = (signInUrl: string) => `Sign in: ${signInUrl} (once, within ${LINK_MINUTES} minutes)`;
