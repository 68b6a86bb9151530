import { readdir, readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import { isObject } from "../is-object.ts";
import { jsonIn, textOf } from "./http-answer.ts";

const MOST_BYTES = 100_000;
const HEALTH_MS = 3000;

export interface FindOptions {
  /** Dragoman's data folder; where the command keeps it if it is left out. */
  home?: string;
  /** Only a server of this folder, or of one around it. */
  workspace?: string;
}

/** A server that is there. */
export interface FoundSidecar {
  url: string;
  token: string;
  pid: number;
  workspace: string;
  version: string;
  startedAt: string;
}

type Announced = Omit<FoundSidecar, "token">;

/**
 * The server that the user has running, if there is one: of the given folder or else of the nearest around it, and of several the
 * latest.
 */
export async function findSidecar({
  home = dataFolder(),
  workspace,
}: FindOptions = {}): Promise<FoundSidecar | undefined> {
  const folder = workspace === undefined ? undefined : await realFolder(workspace);
  const announced = (await announcedIn(home)).filter((server) => isRunning(server.pid));
  const fitting = announced.filter((server) => folder === undefined || isWithin(server.workspace, folder));
  const byNearest = (a: Announced, b: Announced) =>
    folder === undefined ? 0 : b.workspace.length - a.workspace.length;
  for (const server of fitting.sort((a, b) => byNearest(a, b) || Date.parse(b.startedAt) - Date.parse(a.startedAt))) {
    const token = (await isServing(server.url)) ? await textIn(join(home, "token")) : undefined;
    if (token) return { ...server, token: token.trim() };
  }
  return undefined;
}

/** As the command has it: `$DRAGOMAN_HOME`, or where the platform keeps a program's data. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env.DRAGOMAN_HOME) return resolve(env.DRAGOMAN_HOME);
  const home = homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "dragoman");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "dragoman");
  return join(env.XDG_DATA_HOME ?? join(home, ".local", "share"), "dragoman");
}

async function announcedIn(home: string): Promise<Announced[]> {
  const folder = join(home, "servers");
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /^\d+\.json$/.test(name));
  const found = await Promise.all(files.map(async (name) => serverIn(await textIn(join(folder, name)))));
  return found.filter((server) => server !== undefined);
}

/** Nothing for what another version may have written. */
function serverIn(text: string | undefined): Announced | undefined {
  try {
    const server = jsonIn(text ?? "", "The record");
    if (!isObject(server)) return undefined;
    const { url, pid, workspace, version, startedAt } = server;
    const words = [url, workspace, version, startedAt];
    if (!words.every((word) => typeof word === "string") || !Number.isSafeInteger(pid)) return undefined;
    return { url, pid, workspace, version, startedAt } as Announced;
  } catch {
    return undefined;
  }
}

/** One of another user is none of ours. */
function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Asked without the token: another program may have the port by now. */
async function isServing(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/health", url), {
      redirect: "error",
      signal: AbortSignal.timeout(HEALTH_MS),
    });
    const health = jsonIn(await textOf(response, MOST_BYTES), "The answer");
    return response.ok && isObject(health) && health.name === "dragoman";
  } catch {
    return false;
  }
}

const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const realFolder = (path: string) => realpath(path).catch(() => resolve(path));

async function textIn(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, "utf8");
    return text.length > MOST_BYTES ? undefined : text;
  } catch {
    return undefined;
  }
}
