import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Exactly these were tried. */
const packages = {
  "@github/copilot": "1.0.102",
  "@openai/codex": "0.166.0",
  "@agentclientprotocol/codex-acp": "2.6.0",
  "@google/gemini-cli": "0.61.0",
  "@agentclientprotocol/claude-agent-acp": "0.99.1",
  "opencode-ai": "1.18.33",
};

/** More than a gigabyte: kept outside of the project, from one run to the next. */
export const cache =
  process.env.DRAGOMAN_AGENTS_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "dragoman-agents");

export const binaries = join(cache, "node_modules", ".bin");

/** Installs what is not there yet. */
export default function install(): void {
  if (isInstalled()) return;
  mkdirSync(cache, { recursive: true });
  const file = { name: "agents", private: true, dependencies: packages };
  writeFileSync(join(cache, "package.json"), `${JSON.stringify(file, undefined, 2)}\n`);
  process.stderr.write(`Installing ${Object.keys(packages).join(", ")} into ${cache} ...\n`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: cache, stdio: ["ignore", "ignore", "inherit"] });
  if (!isInstalled()) throw new Error(`npm put other versions into ${cache} than were asked for`);
}

/** npm may choose older versions than it was told, without a word. */
function isInstalled(): boolean {
  return Object.entries(packages).every(([name, version]) => versionOf(name) === version);
}

function versionOf(name: string): string | undefined {
  const file = join(cache, "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}
