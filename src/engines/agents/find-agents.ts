import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { pathOutside } from "../../tools/process-environment.ts";
import { isWithin } from "../../tools/real-path.ts";

/** A folder, and whether it may bring programs that are run. */
export interface Folder {
  /** The real path. */
  workspace: string;
  trusted: boolean;
}

/** Where Dragoman is and works, as far as it matters for finding programs. */
export interface Surroundings extends Folder {
  /** What Dragoman was started for, where the agent works in another folder: it has its say, too. */
  startedFor?: Folder;
  env: NodeJS.ProcessEnv;
  /** The user's own. */
  home: string;
  /** Of Dragoman's own package. */
  packageFolder: string;
  /** Node's program; what npm installs for all is beside it, if npm is not told otherwise. */
  execPath?: string;
}

/** Where agents are looked for, in this order. Nothing of a folder that is not trusted is among them: a clone brings no program that is run. */
export function agentFolders(around: Surroundings): string[] {
  const { env, packageFolder } = around;
  const all = [
    ...(env.PATH ?? "").split(delimiter),
    ...foldersOf(around).flatMap(({ workspace, trusted }) => (trusted ? [binOf(workspace)] : [])),
    binOf(packageFolder),
    ...installedBeside(packageFolder),
    process.platform === "win32" ? npmPrefix(around) : join(npmPrefix(around), "bin"),
  ];
  const usable = untrusted(around).reduce((path, folder) => pathOutside(folder, path), all.join(delimiter));
  return [...new Set(usable.split(delimiter))].filter(isAbsolute);
}

const foldersOf = ({ workspace, trusted, startedFor }: Surroundings): Folder[] => [
  { workspace, trusted },
  ...(startedFor ? [startedFor] : []),
];

const untrusted = (around: Surroundings): string[] =>
  foldersOf(around).flatMap(({ workspace, trusted }) => (trusted ? [] : [workspace]));

/** What an agent's environment is to say of it: nor does the agent run what lies in such a folder because it has the name of a program. */
export function agentPath(around: Surroundings): { PATH?: string } {
  const outside = untrusted(around);
  if (outside.length === 0) return {};
  return { PATH: outside.reduce((path, folder) => pathOutside(folder, path), around.env.PATH) };
}

const binOf = (folder: string) => join(folder, "node_modules", ".bin");

/** Of a package in a `node_modules` the programs of the others there. */
function installedBeside(packageFolder: string): string[] {
  const modules = dirname(packageFolder);
  return basename(modules) === "node_modules" ? [join(modules, ".bin")] : [];
}

/** Where npm installs what is for all, without npm being asked. */
function npmPrefix({ env, home, execPath = process.execPath }: Surroundings): string {
  const said = [env.npm_config_prefix, env.NPM_CONFIG_PREFIX, prefixIn(join(home, ".npmrc"), env, home)];
  return said.find((prefix) => prefix !== undefined && isAbsolute(prefix)) ?? dirname(dirname(execPath));
}

function prefixIn(npmrc: string, env: NodeJS.ProcessEnv, home: string): string | undefined {
  const [, written = ""] = /^\s*prefix\s*=\s*(.+?)\s*$/m.exec(textOf(npmrc) ?? "") ?? [];
  return written
    .replace(/^(["'])(.*)\1$/, "$2")
    .replace(/\$\{(\w+)\}/g, (_, name) => env[name] ?? "")
    .replace(/^~(?=\/)/, home);
}

/** Finds the first of some programs that is there, as a whole path, whenever it is asked. */
export function programFinder(around: Surroundings): (names: readonly string[]) => string | undefined {
  const folders = agentFolders(around);
  const isUsable = (path: string) => isProgram(path) && !untrusted(around).some((folder) => leadsInto(folder, path));
  return (names) => names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isUsable);
}

export function isProgram(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // it cannot even be looked at
  }
}

/** A link elsewhere may lead back there. */
const leadsInto = (folder: string, path: string) => isWithin(folder, realpathSync(path));

export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
