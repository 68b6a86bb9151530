import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readConfiguration } from "../config/configuration.ts";
import { readRecords } from "../config/workspace-record.ts";
import { messageOf } from "../core/errors.ts";
import { type Finding, ok, problem, warning } from "./doctor-finding.ts";

const OLDEST_NODE = [20, 19] as const;
const GIT_TIMEOUT_MS = 5000;

export interface Versions {
  dragoman: string;
  node: string;
  sqlite: string;
  /** Looks for it. */
  git(): Promise<string | undefined>;
}

export async function examineVersions({ dragoman, node, sqlite, git }: Versions): Promise<Finding[]> {
  const found = await git();
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isTooOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const all = `dragoman ${dragoman}, node ${node}, sqlite ${sqlite}${found ? `, ${found}` : ""}`;
  return [
    ok("version", all),
    ...(isTooOld
      ? [problem("version", `Node.js ${node} is too old.`, `Install ${OLDEST_NODE.join(".")} or a later one.`)]
      : []),
    ...(found ? [] : [warning("version", "git is not found.", "Install it, or what has to do with git will fail.")]),
  ];
}

export async function gitVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("git", ["--version"], { timeout: GIT_TIMEOUT_MS });
    return /git version \S+/.exec(stdout)?.[0].replace(" version", "");
  } catch {
    return undefined;
  }
}

/** What is configured for a folder, and whether it is trusted. */
export async function examineConfiguration(
  workspace: string,
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  return [...(await examineFiles(workspace, home, env)), ...(await examineRecords(home))];
}

async function examineFiles(workspace: string, home: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    const { trust, warnings } = await readConfiguration({ workspace, home, env });
    const trusted = trust.trusted
      ? "trusted"
      : "not trusted: its own configuration sets no command, server or allow rule";
    return [
      ok("folder", `${workspace} is ${trusted}`),
      ...warnings.map(({ file, line, message }) => warning("configuration", message, `Look at ${file}, line ${line}.`)),
    ];
  } catch (error) {
    return [
      problem("configuration", messageOf(error), "Mend what is named there: until then nothing runs in this folder."),
    ];
  }
}

async function examineRecords(home: string): Promise<Finding[]> {
  try {
    const { errors } = await readRecords(home);
    return errors.map(({ message }) =>
      problem("trust", message, "Nothing runs in the folder that this is about until it is mended."),
    );
  } catch (error) {
    return [problem("trust", messageOf(error), "Mend what is named there: until then nothing runs anywhere.")];
  }
}
