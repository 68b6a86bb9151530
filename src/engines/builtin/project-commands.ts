import { type Action, type ActionEnd, type ActionIO, callTool } from "./action.ts";
import { code, count } from "./answer.ts";
import { packageIn, packageManager } from "./package-json.ts";
import { shellWord } from "./paths.ts";
import { listResult, readResult, shellResult } from "./results.ts";
import { shellAnswer } from "./shell-answer.ts";

export type Script = "test" | "build" | "lint" | "typecheck" | "format" | "install" | "start";

/** Which file says what kind of project it is, and the commands that go with it. The first that is there and has one counts. */
const PROJECTS: [file: string, commands: Partial<Record<Script, string>>][] = [
  ["deno.json", { test: "deno test", lint: "deno lint", format: "deno fmt", typecheck: "deno check ." }],
  [
    "Cargo.toml",
    {
      test: "cargo test",
      build: "cargo build",
      lint: "cargo clippy",
      format: "cargo fmt",
      typecheck: "cargo check",
      install: "cargo fetch",
    },
  ],
  [
    "go.mod",
    {
      test: "go test ./...",
      build: "go build ./...",
      lint: "go vet ./...",
      format: "gofmt -l -w .",
      typecheck: "go vet ./...",
      install: "go mod download",
    },
  ],
  ["uv.lock", { test: "uv run pytest", install: "uv sync" }],
  ["poetry.lock", { test: "poetry run pytest", install: "poetry install" }],
  ["pyproject.toml", { test: "python3 -m pytest", install: "python3 -m pip install -e ." }],
  ["pytest.ini", { test: "python3 -m pytest" }],
  ["setup.py", { test: "python3 -m pytest", install: "python3 -m pip install -e ." }],
  ["requirements.txt", { test: "python3 -m pytest", install: "python3 -m pip install -r requirements.txt" }],
  ["pom.xml", { test: "mvn test", build: "mvn package" }],
  ["gradlew", { test: "./gradlew test", build: "./gradlew build" }],
  ["Gemfile", { test: "bundle exec rake test", install: "bundle install" }],
  ["composer.json", { test: "composer test", install: "composer install" }],
];

/** Other names that projects give the same script. */
const ALIASES: Record<string, string[]> = {
  typecheck: ["typecheck", "type-check", "types", "check-types", "tsc"],
  format: ["format", "fmt", "prettier"],
  lint: ["lint", "eslint", "check"],
  build: ["build", "compile"],
  start: ["start", "dev", "serve"],
};

const TITLES: Partial<Record<string, string>> = {
  install: "Install the dependencies",
  test: "Run the project's tests",
  start: "Start the project",
};

/** Looks at the project to find out which command is meant, and runs that. */
export function runScript(script: string): Action {
  return {
    name: "run_script",
    title: TITLES[script] ?? `Run the project's ${script}`,
    args: { script },
    changes: true,
    run: async (io) => {
      const chosen = await choose(io, script);
      if (typeof chosen !== "string") return chosen;
      const reply = await callTool(io, "shell", { command: chosen }, shellResult);
      return reply.outcome === "done" ? shellAnswer(chosen, reply.result) : reply;
    },
  };
}

async function choose(io: ActionIO, script: string): Promise<string | ActionEnd> {
  const listed = await callTool(io, "list", {}, listResult);
  if (listed.outcome !== "done") return listed;
  const files = new Set(listed.result.entries.map(({ path }) => path));
  const scripts = files.has("package.json") ? await packageScripts(io) : [];
  const manager = packageManager(files);
  if (files.has("package.json") && script === "install") return `${manager} install`;
  const name = (ALIASES[script] ?? [script]).find((alias) => scripts.includes(alias));
  if (name !== undefined)
    return name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${shellWord(name)}`;
  const known = PROJECTS.find(([file, commands]) => files.has(file) && commands[script as Script] !== undefined);
  if (known) return known[1][script as Script] ?? "";
  const target = await makeTarget(io, files, script);
  return target ?? nothingFound(script, scripts);
}

function nothingFound(script: string, scripts: string[]): ActionEnd {
  const others =
    scripts.length > 0
      ? ` Its package.json has ${count(scripts.length, "script")}: ${scripts.slice(0, 20).map(code).join(", ")}.`
      : "";
  const message = `Nothing here says how to run the project's ${script}.${others} Say the command itself: ${code(`run <command>`)}.`;
  return { outcome: "failed", code: "tool_failed", message };
}

/** npm's placeholder for a missing test is no test. */
async function packageScripts(io: ActionIO): Promise<string[]> {
  const scripts = (await packageIn(io))?.scripts ?? {};
  return Object.keys(scripts).filter((name) => !scripts[name]?.includes("no test specified"));
}

async function makeTarget(io: ActionIO, files: Set<string>, script: string): Promise<string | undefined> {
  const makefile = ["Makefile", "makefile", "GNUmakefile"].find((file) => files.has(file));
  if (makefile === undefined) return undefined;
  const reply = await callTool(io, "read", { path: makefile }, readResult);
  if (reply.outcome !== "done") return undefined;
  const hasTarget = reply.result.content.split("\n").some((line) => line.startsWith(`${script}:`));
  return hasTarget ? `make ${shellWord(script)}` : undefined;
}
