import type { TerminalType } from "../core/event-facts.ts";
import { type EventOf, type RunResult, resultSchema } from "../core/events.ts";
import type { RunRules } from "../core/rules.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import { openFeatureSessionId } from "../operations/feature-session.ts";
import { type FeatureSettings, featureStore } from "../operations/features/index.ts";
import type { OperationName } from "../operations/perform/index.ts";
import { busySession } from "./busy-session.ts";
import { DrawnDisplay } from "./display.ts";
import { type EarlierAnswers, earlierAnswers } from "./earlier-answers.ts";
import { checkFeatureThere } from "./feature-there.ts";
import type { Signals } from "./leave.ts";
import { operationLines } from "./operation-lines.ts";
import { type OperationTarget, operationTarget } from "./operation-target.ts";
import { printable } from "./terminal/event-frames.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { count, oneLine, shortId } from "./terminal/wording.ts";
import { TerminalRun } from "./terminal-run.ts";
import { byCommand } from "./terminal-session.ts";

export interface OperateOptions {
  runtime: Runtime;
  terminal: Terminal;
  name: OperationName;
  /** A feature, or a file. */
  given: string;
  workspace: string;
  /** What is configured for the features of a workspace. */
  features(workspace: string): Promise<FeatureSettings>;
  engine: string;
  model?: string;
  /** What is saved is pushed. */
  push?: boolean;
  /** Documents that are there are replaced without a question. */
  replace: boolean;
  /** What the operation writes needs no yes. */
  yes: boolean;
  /** What was answered to a clarify that was cancelled or failed counts again. */
  reuse: boolean;
  /** What came of it, for programs, and nothing else on stdout. */
  json: boolean;
  thinking: boolean;
  leave(code: number): void;
  lastly: Set<() => Promise<unknown>>;
  signals: Signals;
}

/** Does an operation and shows what comes of it. Resolves with the exit code of the process. */
export async function operate(options: OperateOptions): Promise<number> {
  const { runtime, terminal, name, given, workspace, json, thinking, leave, lastly, signals } = options;
  try {
    const target = operationTarget(given, workspace);
    await checkTarget(options, target);
    const handle = await sessionFor(options, target);
    const earlier = await answersBefore(options, handle.id);
    const { out, err } = terminal;
    const shown = json ? { out: err, err } : { out, err }; // stdout is for the result
    const run = new TerminalRun({
      ...{ runtime, terminal, handle, leave, lastly, signals },
      by: byCommand(name),
      request: { kind: "operation", input: inputOf(options, target), rules: rulesOf(options) },
      byKeys: terminal.hasKeyboard && (shown.out.live || err.live),
      display: (drawing) => new DrawnDisplay({ ...drawing, terminal: shown, thinking, prompts: false }),
      known: earlier && ((ask) => earlier.take(ask)),
      onEnd: (end) => showResult(options, handle.id, end),
    });
    return await run.play();
  } finally {
    terminal.close();
  }
}

/** No session is made for what is not there; and whoever named a document is told which session it is. */
async function checkTarget({ features, given, name, terminal, workspace }: OperateOptions, target: OperationTarget) {
  if ("file" in target) return;
  const { feature } = target;
  await checkFeatureThere(feature, featureStore(workspace, await features(workspace)));
  if (!given.endsWith(".md")) return;
  terminal.err.add([`${oneLine(given)} belongs to a feature: the same as dragoman ${name} ${feature}.`]);
  terminal.err.flush();
}

/** A feature has one session, whoever works on it; a file gets one of its own. */
async function sessionFor(options: OperateOptions, target: OperationTarget): Promise<SessionHandle> {
  const { runtime, workspace, engine, model, name } = options;
  const about = { workspace, engine, model, by: byCommand(name) };
  if ("file" in target) return runtime.create({ ...about, title: `${name} ${target.file}` });
  const { feature } = target;
  const sessionId = await openFeatureSessionId(runtime.store, workspace, feature);
  const busy = await busySession(runtime.store, sessionId);
  if (busy) throw busy;
  const handle = await runtime.ensure(sessionId, { ...about, title: feature });
  const session = await runtime.store.session(handle.id);
  if (session && (session.engine !== engine || session.model !== model)) await handle.update({ engine, model });
  return handle;
}

/** The answers of a run that came to nothing, if they are to be used; else it is said that there are some. */
async function answersBefore(
  { name, reuse, runtime, terminal }: OperateOptions,
  sessionId: string,
): Promise<EarlierAnswers | undefined> {
  if (name !== "clarify") return undefined;
  const earlier = await earlierAnswers(runtime.store, sessionId);
  const { size } = earlier;
  const saved = `The last clarify (session ${shortId(sessionId)}) ended with ${count(size, "answer")} not saved`;
  if (size > 0) terminal.err.add([reuse ? `${saved}: taken again.` : `${saved}; --reuse takes them.`]);
  else if (reuse) terminal.err.add(["There are no earlier answers to take: everything is asked."]);
  terminal.err.flush();
  return reuse && size > 0 ? earlier : undefined;
}

function inputOf({ name, push, replace }: OperateOptions, target: OperationTarget) {
  const args = { ...target, ...(push !== undefined && { push }), ...(replace && { replace }) };
  return { text: `${name} ${"feature" in target ? target.feature : target.file}`, action: name, args };
}

const rulesOf = ({ yes }: OperateOptions): RunRules | undefined =>
  yes ? { deny: [], ask: [], allow: [{ tool: "spec_save" }] } : undefined;

async function showResult(options: OperateOptions, sessionId: string, end: EventOf<TerminalType>): Promise<void> {
  if (end.type !== "run.completed") return;
  const { terminal, json, name } = options;
  const { data = {} } = await wholeResult(options.runtime, sessionId, end.result);
  if (json) terminal.out.add(printable(JSON.stringify(data, null, 2)).split("\n"));
  else terminal.out.add(operationLines(name, data, terminal.out));
}

/** A large result is not in the log itself. */
async function wholeResult({ store }: Runtime, sessionId: string, result: RunResult): Promise<RunResult> {
  const bytes = result.artifactId && (await store.artifact(sessionId, result.artifactId));
  return bytes ? resultSchema.parse(JSON.parse(Buffer.from(bytes).toString())) : result;
}
