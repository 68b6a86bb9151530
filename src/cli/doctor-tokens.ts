import { lstatSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../access/token.ts";
import { TokenFiles } from "../access/token-files.ts";
import { ADMIN, type TokenRecord } from "../access/token-record.ts";
import { shellWord } from "../config/printable.ts";
import { messageOf } from "../core/errors.ts";
import { BY_MEND, type Finding, type Mended, ok, problem, warning } from "./doctor-finding.ts";
import { close, type Open } from "./doctor-folder.ts";
import { count } from "./terminal/wording.ts";

const ABOUT = "tokens";
const NOBODY = "Until it is mended nobody gets in, and no server starts.";

/** Who may come in over the network. What is wrong here keeps everybody out. */
export function examineTokens(home: string): Finding[] {
  const open = tooOpen(home);
  if (open.length > 0) return open.map(openToOthers);
  const files = new TokenFiles(home);
  try {
    const token = files.readAdminToken();
    const records = hasRecords(home) ? files.read() : undefined;
    if (!records) return token === undefined ? [] : [withoutRecords(home)];
    if (token === undefined || !isAdmin(records, token)) return [withoutAdmin(files.tokenFile, token)];
    return [ok(ABOUT, `${count(records.length, "token")}; the admin's is in ${files.tokenFile}`)];
  } catch (error) {
    return [problem(ABOUT, messageOf(error), NOBODY)];
  }
}

function openToOthers({ path, mode }: Open): Finding {
  const kept = path.endsWith(".json")
    ? NOBODY
    : "Until it is mended your programs do not use it, and no server starts.";
  const text = `${path} is open to others on this machine (${(mode & 0o777).toString(8)}). ${kept}`;
  const mend = `chmod 600 ${shellWord(path)}, or ${BY_MEND}. If someone may have read it: dragoman token rotate admin`;
  return problem(ABOUT, text, mend);
}

function withoutRecords(home: string): Finding {
  const text = `There is an admin token, but ${join(home, "tokens.json")} is gone: nobody gets in.`;
  return warning(ABOUT, text, "Put back a copy of it, or start the server anew: it makes a new admin token.");
}

function withoutAdmin(path: string, token: string | undefined): Finding {
  const text = `${path} ${token === undefined ? "is gone" : "does not have the admin token"}: your programs find none.`;
  return warning(ABOUT, text, "Start the server anew: it makes a new one and writes it there.");
}

const hasRecords = (home: string) => lstatSync(join(home, "tokens.json"), { throwIfNoEntry: false }) !== undefined;

function isAdmin(records: TokenRecord[], token: string): boolean {
  const digest = digestOf(token).toString("hex");
  return records.some(({ name, sha256 }) => name === ADMIN && sha256 === digest);
}

/** These are not read while others could, also in a folder that nobody else can enter. */
function tooOpen(home: string): Open[] {
  if (process.platform === "win32") return [];
  return ["token", "tokens.json"].flatMap((name): Open[] => {
    const path = join(home, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && (stats.mode & 0o077) !== 0 ? [{ path, mode: stats.mode }] : [];
  });
}

/** Takes from others what they must not have. */
export function closeTokens(home: string): Mended[] {
  return tooOpen(home).map(close);
}
