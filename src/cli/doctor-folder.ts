import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { BY_MEND, type Finding, type Mended, ok, problem, warning } from "./doctor-finding.ts";
import { size } from "./terminal/wording.ts";

const ABOUT = "data folder";
const MB = 1024 * 1024;
const TOO_LITTLE = 50 * MB;
const LITTLE = 500 * MB;
const ELSEWHERE = "Set DRAGOMAN_HOME to a folder that can be written to.";

/** Where everything is kept. A folder that is not there yet is made when it is needed. */
export function examineFolder(home: string): Finding[] {
  const stats = lookAt(home);
  if (stats instanceof Error) return [problem(ABOUT, `${home} cannot be looked at: ${stats.message}.`, ELSEWHERE)];
  if (!stats) return absent(home);
  if (!stats.isDirectory()) return [problem(ABOUT, `${home} is not a folder.`, ELSEWHERE)];
  const refused = refusal(home);
  if (refused) return [problem(ABOUT, `${home} cannot be used: ${refused}.`, ELSEWHERE)];
  return [ok(ABOUT, home), ...spaceIn(home), ...openTo(home)];
}

/** Whether there is something in it to look at. */
export function isUsable(home: string): boolean {
  const stats = lookAt(home);
  return stats !== undefined && !(stats instanceof Error) && stats.isDirectory() && refusal(home) === undefined;
}

function absent(home: string): Finding[] {
  let above = dirname(home);
  while (!existsSync(above)) above = dirname(above);
  const refused = statSync(above).isDirectory() ? refusal(above) : `${above} is not a folder`;
  if (refused) return [problem(ABOUT, `${home} cannot be made: ${refused}.`, ELSEWHERE)];
  return [ok(ABOUT, `${home} is not there yet, and is made when it is needed`)];
}

function lookAt(path: string): Stats | Error | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return new Error(messageOf(error));
  }
}

function refusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function spaceIn(home: string): Finding[] {
  const { bavail, bsize } = statfsSync(home);
  const free = bavail * bsize;
  if (free >= LITTLE) return [];
  const text = `${size(free)} are free on its disk.`;
  const mend = "Make room, or forget old runs: dragoman sessions prune --older-than 30d";
  return [free < TOO_LITTLE ? problem(ABOUT, text, mend) : warning(ABOUT, text, mend)];
}

/** What others on the machine could read or change: logs hold all that an agent saw, and the configuration says what it may do. */
function openTo(home: string): Finding[] {
  const open = tooOpen(home);
  if (open.length === 0) return [];
  const names = (those: Open[]) => those.map(({ path, mode }) => `${path} (${(mode & 0o777).toString(8)})`).join(", ");
  const isWritable = ({ mode }: Open) => (mode & 0o022) !== 0;
  const writable = open.filter(isWritable);
  const readable = open.filter((one) => !isWritable(one));
  const can = [
    ...(writable.length > 0 ? [`change ${names(writable)}`] : []),
    ...(readable.length > 0 ? [`read ${names(readable)}`] : []),
  ];
  const text = `Others on this machine can ${can.join(", and ")}.`;
  return [writable.length > 0 ? problem(ABOUT, text, BY_MEND) : warning(ABOUT, text, BY_MEND)];
}

export interface Open {
  path: string;
  mode: number;
}

/** Files in a folder that nobody else may enter are safe whatever their own mode is. */
function tooOpen(home: string): Open[] {
  if (process.platform === "win32" || !existsSync(home)) return [];
  const folder = realpathSync(home);
  if ((lstatSync(folder).mode & 0o077) === 0) return [];
  const files = readdirSync(folder).map((name) => join(folder, name));
  return [folder, ...files].flatMap((path): Open[] => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || stats.isSymbolicLink() || (stats.mode & 0o077) === 0) return [];
    return [{ path, mode: stats.mode }];
  });
}

/** Takes from others what they need not have. */
export function closeFolder(home: string): Mended[] {
  return tooOpen(home).map(close);
}

export function close({ path, mode }: Open): Mended {
  try {
    chmodSync(path, mode & 0o700);
    return { done: true, text: `${path} is for you alone now.` };
  } catch (error) {
    return { done: false, text: `${path} stays as it is: ${messageOf(error)}.` };
  }
}
