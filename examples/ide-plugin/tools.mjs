// What the plugin does in the workspace for the agent, by the protocol's names of the tools.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { dirname, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";

const types = ["feat", "fix", "docs", "style", "refactor", "perf", "test", "build", "ci", "chore", "revert"];

/** Of one command: a list of files can be long. */
const MOST_OUTPUT_BYTES = 10 * 1024 * 1024;

/**
 * @param {string} workspace
 * @returns {Record<string, import("dragoman/clients/sidecar").ToolHandler>}
 */
export function toolsIn(workspace) {
  const run = promisify(execFile);
  // The repository may be anyone's: no hook of it is run.
  const unhooked = ["-c", `core.hooksPath=${devNull}`, "-c", "core.fsmonitor=false"];
  const git = async (/** @type {string[]} */ ...args) =>
    (await run("git", [...unhooked, ...args], { cwd: workspace, maxBuffer: MOST_OUTPUT_BYTES })).stdout.trimEnd();

  /** What begins with a dash would be an option. */
  const word = (/** @type {unknown} */ value) => {
    if (String(value).startsWith("-")) throw new Error(`"${value}" is no name`);
    return String(value);
  };

  return {
    "git.status": async () => {
      const lines = (await git("status", "--porcelain=v1", "--branch", "-z")).split("\0").filter(Boolean);
      const [head = "", ...changes] = lines;
      const branch = /^## (?:No commits yet on )?(.*?)(?:\.\.\.|$)/.exec(head)?.[1] ?? "";
      const files = changes.map((line) => ({ status: line.slice(0, 2).trim(), path: line.slice(3) }));
      return { branch, clean: files.length === 0, files };
    },

    "git.commit": async ({ type, scope, description, body, breaking, amend, all, paths }) => {
      if (!types.includes(String(type))) throw new Error(`"${type}" is no type of a conventional commit`);
      const message = `${type}${scope ? `(${scope})` : ""}${breaking ? "!" : ""}: ${description}`;
      const only = Array.isArray(paths) ? paths.map(String) : [];
      if (all || only.length > 0) await git("add", "--all", "--", ...(all ? ["."] : only));
      const text = [`--message=${message}`, ...(body ? [`--message=${body}`] : [])];
      await git(
        "commit",
        "--quiet",
        ...text,
        ...(amend ? ["--amend"] : []),
        ...(only.length > 0 ? ["--", ...only] : []),
      );
      const names = await git("show", "--name-only", "--format=", "-z", "HEAD");
      return { commitSha: await git("rev-parse", "HEAD"), message, files: names.split("\0").filter(Boolean) };
    },

    "git.push": async ({ remote = "origin", branch, setUpstream }) => {
      const name = branch ? String(branch) : await git("rev-parse", "--abbrev-ref", "HEAD");
      // Said in full, so that the name is that of a branch and nothing else: "+main" would push by force.
      const refs = `refs/heads/${name}:refs/heads/${name}`;
      const output = await git("push", ...(setUpstream ? ["--set-upstream"] : []), "--", String(remote), refs);
      return { remote, branch: name, output };
    },

    "git.createBranch": async ({ name, from }) => {
      await git("switch", "--create", word(name), ...(from ? [word(from)] : []));
      return { current: name };
    },

    "git.switchBranch": async ({ name }) => {
      await git("switch", "--no-guess", word(name));
      return { current: name };
    },

    "fs.write": async ({ path, content }) => {
      const file = resolve(workspace, String(path));
      if (relative(workspace, file).split(sep)[0] === "..") throw new Error(`${path} is outside of the workspace`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, String(content));
      return { path, bytes: Buffer.byteLength(String(content)) };
    },

    "exec.run": ({ command, timeoutMs }, { signal }) =>
      new Promise((done) => {
        const options = { cwd: workspace, signal, timeout: Number(timeoutMs ?? 0), maxBuffer: MOST_OUTPUT_BYTES };
        const child = execFile("sh", ["-c", String(command)], options, (_, stdout, stderr) => {
          done({ exitCode: child.exitCode, stdout, stderr });
        });
      }),
  };
}
