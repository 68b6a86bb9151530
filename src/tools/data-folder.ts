import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where logs, rules and tokens live: `$DRAGOMAN_HOME`, or where the platform keeps a program's data. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env.DRAGOMAN_HOME) return resolve(env.DRAGOMAN_HOME);
  const home = homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "dragoman");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "dragoman");
  return join(env.XDG_DATA_HOME ?? join(home, ".local", "share"), "dragoman");
}
