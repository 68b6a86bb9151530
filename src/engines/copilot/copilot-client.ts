import { type Readable, Writable } from "node:stream";
import type { CopilotClient } from "@github/copilot-sdk";
import { atMost } from "../../core/at-most.ts";
import { DragomanError, messageOf } from "../../core/errors.ts";
import { plainText } from "../../core/plain-text.ts";
import type { Supervise } from "../../core/supervision.ts";
import { agentEnvironment, gitSafeguards } from "../agent-environment.ts";
import { type AgentProcess, startAgentProcess } from "../agent-process.ts";
import { type CopilotOptions, usesLogin } from "./copilot-options.ts";
import { loadSdk, notInstalled, runtimeProgram } from "./copilot-sdk.ts";
import { within } from "./within.ts";

const START_MS = 20_000;
const EXIT_MS = 300;
const LONGEST_TAIL = 2000;

/** One runtime of Copilot, and the SDK that speaks with it. */
export interface ConnectedCopilot {
  client: CopilotClient;
  process: AgentProcess;
  /** The end of what the runtime has written for people to read. */
  lastWords(): string;
  /** Ends the runtime and everything that it started. */
  end(): Promise<void>;
}

export async function connectCopilot(
  options: CopilotOptions,
  workspace: string,
  supervise: Supervise,
): Promise<ConnectedCopilot> {
  const { CopilotClient, RuntimeConnection } = await loadSdk();
  const { file, args } = runtimeProgram();
  const login = usesLogin(options);
  const flags = ["--headless", "--no-auto-update", "--log-level", "error", "--stdio"];
  const program = { file, args: [...args, ...flags, ...(login ? [] : ["--no-auto-login"])] };
  const env = { ...runtimeEnvironment(options), ...(options.trusted ? {} : await gitSafeguards(workspace)) };
  const runtime = await startAgentProcess({ ...program, cwd: workspace, env, title: "Copilot" }, supervise);
  const lastWords = tailOf(runtime.stderr);
  const client = new CopilotClient({
    connection: RuntimeConnection.forStdio(),
    workingDirectory: workspace,
    useLoggedInUser: login,
    clientInfo: { applicationName: "dragoman" },
  });
  const end = async () => {
    await client.forceStop().catch(() => {});
    runtime.stdin.end(); // with its input it ends by itself, and sooner than when it is told to
    await atMost(
      EXIT_MS,
      runtime.exited.then(() => {}),
    );
    await runtime.end();
  };
  try {
    speakWith(client, runtime);
    const exit = runtime.exited.then(() => Promise.reject(new Error("it ended at once")));
    await within(START_MS, Promise.race([client.start(), exit]));
  } catch (error) {
    await end();
    if (error instanceof DragomanError && error.code === "engine_unavailable") throw error;
    const why = [messageOf(error), lastWords()].filter((text) => text !== "").join(": ");
    throw new DragomanError("engine_unavailable", `Copilot's runtime (${file}) could not be started: ${why}.`);
  }
  return { client, process: runtime, lastWords, end };
}

/**
 * The SDK starts the runtime itself, in our own process group, where the Ctrl-C that cancels a run ends it, copies what it writes to
 * our stderr, and keeps all of that. So it is handed one that runs already. The version of the SDK is pinned, and should it ever find
 * its process in another way, that is said.
 */
function speakWith(client: CopilotClient, { stdin, stdout }: AgentProcess): void {
  if (typeof Reflect.get(client, "startCLIServer") !== "function") {
    throw notInstalled("This version of the package @github/copilot-sdk is not known here.");
  }
  const cliProcess = { stdin: unfailing(stdin), stdout, kill: () => true };
  Object.assign(client, { startCLIServer: async () => Object.assign(client, { cliProcess }) });
}

/** That the runtime is gone is heard from its process; the SDK would complain on the console of every answer that it cannot deliver. */
function unfailing(stdin: Writable): Writable {
  return new Writable({ write: (chunk, _, done) => void stdin.write(chunk, () => done()) });
}

function tailOf(stderr: Readable): () => string {
  let tail = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-LONGEST_TAIL);
  });
  return () => plainText(tail).trim();
}

/** In which of them Copilot looks for a token of GitHub's, the first first. It keeps the first from its tools, but not all of them. */
const tokenVariables = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];
const placeVariables = ["COPILOT_HOME", "COPILOT_CACHE_HOME"];

/**
 * Of the variables by which Copilot is configured it sees those that say where things are: another one allows every tool without a
 * question. Where its models are someone else's, it gets no token of GitHub's.
 */
export function runtimeEnvironment(options: CopilotOptions, ours = process.env): Record<string, string> {
  const env = agentEnvironment([], {}, ours);
  for (const name of Object.keys(env)) {
    if (/^(COPILOT|OTEL)_/.test(name) && !placeVariables.includes(name)) delete env[name];
  }
  const token = usesLogin(options) ? tokenVariables.map((name) => ours[name]).find((value) => value) : undefined;
  return {
    ...env,
    ...(token === undefined ? {} : { COPILOT_GITHUB_TOKEN: token }),
    ...(options.home === undefined ? {} : { COPILOT_HOME: options.home }),
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_DISABLE_LOGIN_SHELL_ENV: "1", // or its tools see what the user's shell sets up, keys and all
    ...options.env,
  };
}
