import { DragomanError } from "../core/errors.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import { changeSession } from "../dialects/engine-choice.ts";
import { checkModel } from "../dialects/models.ts";
import { busySession } from "./busy-session.ts";
import type { Chosen } from "./chosen.ts";
import { displayOf } from "./display.ts";
import { findSession, latestSession } from "./find-session.ts";
import type { Signals } from "./leave.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { TerminalRun } from "./terminal-run.ts";
import { byCommand } from "./terminal-session.ts";

export interface RunOptions {
  runtime: Runtime;
  terminal: Terminal;
  prompt: string;
  /** Where a new session works, and where `continueLatest` looks. */
  workspace: string;
  /** Of a new session. */
  engine: string;
  model?: string;
  /** What the command names: a session that is gone on with goes on with that. */
  named: Chosen;
  /** The session to go on with, by its id or the beginning of it. */
  session?: string;
  /** Go on with the latest session of the workspace. */
  continueLatest: boolean;
  /** Every event of the run as a line of JSON, and nothing else on stdout. */
  json: boolean;
  /** The answer, and nothing else on stdout. */
  quiet: boolean;
  thinking: boolean;
  /** Ends the process before the run has ended. */
  leave(code: number): void;
  /** What is to be done before the process ends, whatever ends it. */
  lastly: Set<() => Promise<unknown>>;
  signals: Signals;
}

const us = byCommand("run");

/** Runs a prompt and shows what comes of it. Resolves with the exit code of the process. */
export async function run(options: RunOptions): Promise<number> {
  const { prompt, terminal } = options;
  if (prompt.trim() === "") throw new DragomanError("invalid_params", "The prompt is empty. Say what is to be done.");
  if (options.json && options.quiet) throw new DragomanError("invalid_params", "Choose one of --json and --quiet.");
  const handle = await sessionFor(options);
  const { runtime, json, quiet, thinking, leave, lastly, signals } = options;
  const run = new TerminalRun({
    ...{ runtime, terminal, handle, by: us, leave, lastly, signals },
    request: { kind: "prompt", input: { text: prompt } },
    byKeys: terminal.hasKeyboard && !json && (terminal.out.live || terminal.err.live),
    display: (drawing) => displayOf({ ...drawing, terminal, json, quiet, thinking, prompts: false }),
  });
  try {
    return await run.play();
  } finally {
    terminal.close();
  }
}

async function sessionFor(options: RunOptions): Promise<SessionHandle> {
  const { runtime, workspace, engine, model, named, session: given, continueLatest } = options;
  const { store } = runtime;
  if (given === undefined && !continueLatest) {
    if (named.model === undefined) await checkModel(runtime, engine, model); // a configured one; what is named was looked at before
    return runtime.create({ workspace, engine, model, by: us });
  }
  const found = given === undefined ? await latestSession(store, workspace) : await findSession(store, given);
  const busy = await busySession(store, found.sessionId);
  if (busy) throw busy;
  const session = await runtime.open(found.sessionId);
  await changeSession(runtime, session, found, named);
  return session;
}
