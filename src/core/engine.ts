import { DragomanError, type ErrorCode } from "./errors.ts";
import type { Event, EventOf, NewEvent, Origin, Question, RunInput, RunKind, RunResult } from "./events.ts";
import type { RunRules } from "./rules.ts";
import type { Range } from "./store.ts";
import type { Supervise } from "./supervision.ts";
import type { AnyTool, Intent, ToolContext, ToolReply } from "./tool.ts";

export interface Model {
  id: string;
  name: string;
  contextWindow?: number;
  maxOutput?: number;
  capabilities?: string[];
}

/** What a run is to do. */
export interface Turn {
  sessionId: string;
  runId: string;
  workspace: string;
  model?: string;
  kind: RunKind;
  input: RunInput;
  by: Origin;
  /** What the client wants to hold for this run, on top of the rules of the workspace. */
  rules?: RunRules;
  /** What the engine kept (`EngineIO.keep`) of its own conversation about this session, in whichever process that was. */
  agentSession?: string;
}

/** A tool that the client of the session runs in our place. */
export interface OfferedTool {
  name: string;
  description: string;
  /** The JSON schema of its arguments. */
  parameters: Record<string, unknown>;
}

/** A call that an agent makes itself, with a tool of its own. It was announced with `tool.requested`. */
export interface AgentCall {
  callId: string;
  /** As the agent calls the tool. */
  tool: string;
  args: unknown;
  /** How the rules know it: as the tool of ours that does the same, where there is one. */
  as: Pick<AnyTool, "name" | "risk">;
  /** What the call would do, as far as the agent tells. */
  intent(context: ToolContext): Promise<Intent>;
}

/**
 * After a no (`denied`) the agent goes on with what the person said, and stops its turn where they said nothing (`goOn` is false). It is
 * also not allowed when the run was cancelled meanwhile, or when what it would do cannot be found out; `code` tells.
 */
/** `reason`: what a person gave as theirs; it is the message then. */
export type Permission =
  | { allowed: true }
  | { allowed: false; code: ErrorCode; message: string; goOn: boolean; reason?: string };

export type ConfirmAnswer = { ok: boolean; remember?: boolean; reason?: string };
export type PromptAnswer = { value: string | null };
/** `text` is an answer in one's own words, where the question allows that; nothing else is picked then. */
export type PickAnswer = { ids: string[]; text?: string };
/** `denied` tells a no from a failure. */
export type ToolAnswer = {
  success: boolean;
  denied?: boolean;
  result?: unknown;
  error?: string;
  userMessage?: string;
};
export type Answer = ConfirmAnswer | PromptAnswer | PickAnswer | ToolAnswer;

/** A client that does not say which it was says so in the words of the document: "User denied tool execution". */
export function isDenial({ success, denied, error = "" }: ToolAnswer): boolean {
  return !success && (denied ?? /\bdenied\b/i.test(error));
}

/** The yes or no in a logged answer, where it has one: a client that could not run a tool has said neither. */
export function approvalIn(answer: unknown): boolean | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  if ("ok" in answer) return typeof answer.ok === "boolean" ? answer.ok : undefined;
  if (!("success" in answer)) return undefined;
  return answer.success === true || (isDenial(answer as ToolAnswer) ? false : undefined);
}

/** `denied`: there was no one attached who could have answered, so the ask was not even opened. */
export type AskReply =
  | { outcome: "answered"; answer: Answer }
  | { outcome: "expired" | "withdrawn" }
  | { outcome: "denied"; reason: "no_one_to_ask" };

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What an engine may say: all but the events that core writes itself. */
export type Emitted = Without<
  Exclude<NewEvent, { type: `session.${string}` | `run.${string}` | `ask.${string}` }>,
  "runId"
>;

/** What a session's log has so far, on disk. */
export interface SessionLog {
  read(range: Range): Promise<Event[]>;
  /** What was too large for an event. */
  artifact(artifactId: string): Promise<Uint8Array | undefined>;
}

export interface EngineIO {
  /**
   * Says something about the run. Resolves when there is room for more: an engine that does not wait is not slowed, but one that
   * floods, or says what cannot be logged, is failed. After the run's end it does nothing. It never throws.
   */
  emit(event: Emitted): Promise<void>;
  /** Puts a question to whoever can answer it, on any dialect. `timeoutMs` is how long it stays open. */
  ask(question: Question, timeoutMs?: number): Promise<AskReply>;
  /**
   * Calls one of our own tools under the policy: says so in the log, asks where a person has to agree to exactly these arguments,
   * executes, and tells the result. It never throws.
   */
  tool(name: string, args: unknown): Promise<ToolReply>;
  /**
   * Whether an agent may make a call that it makes itself: by the rules, or because a person agreed to exactly these arguments. How the
   * call ends is the engine's to say. It never throws.
   */
  permit(call: AgentCall): Promise<Permission>;
  /** What the client of the session runs in our place. A call of one is a call of `tool`. */
  offeredTools(): OfferedTool[];
  /** Writes down by what the engine finds its own conversation about this session again: the next `Turn` has it. */
  keep(agentSession: string): void;
  /**
   * Called when a cancelled run did not end within its grace: kill what it started. The returned function takes it back, when
   * there is nothing to kill any more.
   */
  onKill(kill: () => void | Promise<void>): () => void;
  /** To be called before a process is started: should this process die, another one ends what it left behind. */
  supervise: Supervise;
  /** What came before this run, and what of it is written down. */
  log: SessionLog;
}

/** What an engine has to go on with a run that waited for answers when its owner died. */
export interface ResumeIO extends EngineIO {
  /** The reply to an ask of the log that is still open. */
  reply(askId: string): Promise<AskReply>;
  /**
   * Goes on with a call of one of our tools that the log has, and whose ask is still open. Its arguments must be whole: large ones
   * are not in the event.
   */
  resumeTool(call: EventOf<"tool.requested">, ask: EventOf<"ask.opened">): Promise<ToolReply>;
  /** The arguments of a call as the log has them, with what the tool adds to those that were given. */
  loggedArgs(tool: string, given: unknown): unknown;
}

/**
 * Does the work of a run: resolves with its result, throws to fail it, and ends soon after `signal` aborts, whatever it then
 * returns. The run's first and last events are core's, never the engine's.
 */
export interface Engine {
  readonly name: string;
  models(): Promise<Model[]>;
  run(turn: Turn, io: EngineIO, signal: AbortSignal): Promise<RunResult>;
  /**
   * Goes on, in another process, with a run that only waited for answers. `log` has the run's events so far, and its asks are
   * still open. Throws `owner_lost` when it cannot. An engine without it leaves such a run to fail.
   */
  resume?(turn: Turn, log: Event[], io: ResumeIO, signal: AbortSignal): Promise<RunResult>;
  /** The session is closed, goes to another engine, or is not this process's any more: ends what is kept for it between runs. */
  leave?(sessionId: string): Promise<void>;
}

/** Stands in for an engine that a session was made with and that is not here: its runs fail and say what to do. */
export function missingEngine(name: string, about: () => Promise<string>): Engine {
  return {
    name,
    models: async () => [],
    run: async () => {
      throw new DragomanError("engine_unavailable", await about());
    },
  };
}
