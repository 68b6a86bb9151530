import { realpath } from "node:fs/promises";
import * as z from "zod";
import {
  approvalDigest,
  approvalMessage,
  approvalQuestion,
  confirmed,
  Denied,
  type Proposal,
  refusal,
} from "./approval.ts";
import { runByClient, toolOfClient } from "./client-tool.ts";
import type { Clock } from "./clock.ts";
import type { AgentCall, AskReply, Emitted, Permission, Turn } from "./engine.ts";
import { asDragomanError, DragomanError, messageOf } from "./errors.ts";
import type { ClientTools, EventOf, Question } from "./events.ts";
import type { NewId } from "./ids.ts";
import { decide, onOneLine } from "./policy.ts";
import type { Rule, RuleBook } from "./rules.ts";
import type { Supervise } from "./supervision.ts";
import type { AnyTool, Intent, ToolContext, ToolIO, ToolKind, ToolReply, ToolResult } from "./tool.ts";

/** What changes under the eyes of whoever is asked, again and again, is given up. */
const MOST_ASKS = 3;
const MOST_NAMED = 50;

export interface Toolbox {
  tools: ReadonlyMap<string, AnyTool>;
  ruleBook: RuleBook;
}

interface Surroundings extends Toolbox {
  turn: Turn;
  clock: Clock;
  newId: NewId;
  signal: AbortSignal;
  emit(event: Emitted): Promise<void>;
  ask(question: Question, timeoutMs?: number): Promise<AskReply>;
  clientTools(): ClientTools | undefined;
  onKill: ToolIO["onKill"];
  supervise: Supervise;
  /** Resolves when everything said so far is on disk, and so this process had the session until then. */
  durable(): Promise<void>;
}

type Execution = () => Promise<ToolResult>;
/** What the rules look at. */
type Judged = Pick<AnyTool, "name" | "risk" | "intent"> & { kind?: ToolKind };
type Verdict = "allow" | "deny";
interface Remembered {
  workspace: string;
  rules: Rule[];
}

/**
 * One call of a tool, from the request to its end in the log. Nothing is executed that the policy denies, and nothing that it asks
 * about before a person said yes to exactly this tool, these arguments, this folder and this run.
 */
export async function callTool(around: Surroundings, name: string, given: unknown): Promise<ToolReply> {
  const call = new ToolCall(around, around.newId(), name);
  return carryOut(around, call, given, around.clock.now(), () => call.prepare(given));
}

/**
 * Goes on with a call whose ask was put by another process, once the reply to it is there. The arguments are those of the call, whole.
 * A yes counts for what it was bound to then, and for nothing else.
 */
export async function resumeTool(
  around: Surroundings,
  { callId, tool, args, at }: EventOf<"tool.requested">,
  ask: EventOf<"ask.opened">,
  reply: Promise<AskReply>,
): Promise<ToolReply> {
  const given = structuredClone(args);
  const call = new ToolCall(around, callId, tool, "announced");
  return carryOut(around, call, given, at, () => call.goOn(given, ask, reply));
}

/** Whether an agent may make a call of its own. What it would do is looked at as for one of our tools, and asked about in the same way. */
export async function permitCall(around: Surroundings, call: AgentCall): Promise<Permission> {
  const { callId, tool, as } = call;
  const args = structuredClone(call.args);
  const asked = { name: as.name, risk: as.risk, intent: (_: unknown, context: ToolContext) => call.intent(context) };
  try {
    const workspace = await realWorkspace(around.turn.workspace);
    await new ToolCall(around, callId, tool, "announced").agree(asked, args, workspace);
    await around.durable(); // as for a call of ours
    around.signal.throwIfAborted();
    return { allowed: true };
  } catch (error) {
    const { code, message } = failureOf(error, around.signal);
    if (!(error instanceof Denied)) return { allowed: false, code, message, goOn: code !== "cancelled" };
    const { goOn, reason } = error;
    return { allowed: false, code, message, goOn, ...(reason !== undefined && { reason }) };
  }
}

async function carryOut(
  around: Surroundings,
  call: ToolCall,
  given: unknown,
  requestedAt: number,
  prepare: () => Promise<Execution>,
): Promise<ToolReply> {
  const { callId } = call;
  let startedAt = requestedAt;
  const took = () => Math.max(0, around.clock.now() - startedAt);
  try {
    const execute = await prepare();
    await around.durable(); // nothing is done that the log does not know of, nor by a process that lost the session
    around.signal.throwIfAborted();
    startedAt = around.clock.now();
    const { result, diff } = await execute();
    await around.emit({ type: "tool.finished", callId, result, durationMs: took(), diff });
    return { outcome: "done", callId, result, diff };
  } catch (error) {
    await call.announce(given);
    const { code, message } = failureOf(error, around.signal);
    await around.emit({ type: "tool.finished", callId, error: { code, message }, durationMs: took() });
    if (error instanceof Denied) return { outcome: "denied", callId, message, goOn: error.goOn };
    return { outcome: "failed", callId, code, message };
  }
}

function failureOf(error: unknown, signal: AbortSignal): DragomanError {
  if (error instanceof Denied) return new DragomanError("denied", error.message);
  if (signal.aborted) return new DragomanError("cancelled", "The run was cancelled.");
  return asDragomanError(error, "tool_failed");
}

class ToolCall {
  readonly callId: string;
  readonly #around: Surroundings;
  readonly #name: string;
  #announced: boolean;

  constructor(around: Surroundings, callId: string, name: string, announced?: "announced") {
    this.#around = around;
    this.callId = callId;
    this.#name = name;
    this.#announced = announced !== undefined;
  }

  /** Resolves with what is to be executed, when everyone who has a say agreed to it. `agreed`: to what someone has said yes. */
  async prepare(given: unknown, agreed?: string): Promise<Execution> {
    const tool = this.#tool();
    const args = checkedArgs(tool, given);
    const workspace = await realWorkspace(this.#around.turn.workspace);
    const client = agreed === undefined ? this.#clientOf(tool) : undefined; // what was agreed to was to be done here
    if (client) return this.#prepareForClient(tool, args, workspace, client.timeoutMs);
    const context = await this.agree(tool, args, workspace, agreed);
    return () => tool.run(args, context, this.#io());
  }

  /** Whether it may be done is decided here. Who does it, and asks for a yes where one is needed, is the client. */
  async #prepareForClient(tool: AnyTool, args: unknown, workspace: string, timeoutMs: number): Promise<Execution> {
    const { intent, decision, context } = await this.#look(tool, args, workspace, "by client");
    await this.announce(args, tool.kind, intent.title);
    if (decision.verdict === "deny") throw new Denied(decision.why, true);
    const digest = approvalDigest(tool.name, args, context.workspace, this.#around.turn.runId, intent);
    const part = await tool.client?.(args, context);
    const call = { callId: this.callId, tool, args, intent, decision, digest, timeoutMs, part };
    return () => runByClient(this.#around, call, () => tool.run(args, context, this.#io()));
  }

  /** As `prepare`, for a call that waits for the reply to an ask. */
  async goOn(given: unknown, ask: EventOf<"ask.opened">, reply: Promise<AskReply>): Promise<Execution> {
    const { ok, remember, reason } = confirmed(await reply);
    const verdict = ok ? "allow" : "deny";
    if (remember && ask.allowRemember) await this.#remember(verdict, () => this.#rulesShown(given, ask, verdict));
    if (!ok) throw refusal(reason);
    return this.prepare(given, ask.digest);
  }

  /** Says once that there is such a call. */
  async announce(args: unknown, kind?: ToolKind, title?: string): Promise<void> {
    if (this.#announced) return;
    this.#announced = true;
    await this.#around.emit({ type: "tool.requested", callId: this.callId, tool: this.#name, args, title, kind });
  }

  #clientOf({ name }: AnyTool): ClientTools | undefined {
    const client = this.#around.clientTools();
    return client?.tools.includes(name) ? client : undefined;
  }

  #tool(): AnyTool {
    const { tools, clientTools } = this.#around;
    const ofClient = clientTools()?.tools ?? [];
    const tool = tools.get(this.#name) ?? (ofClient.includes(this.#name) ? toolOfClient(this.#name) : undefined);
    if (!tool) throw unknownTool(this.#name, new Set([...tools.keys(), ...ofClient]));
    return tool;
  }

  /** What is agreed to is looked at once more afterwards, under the rules as they are then, and asked about again if it changed. */
  async agree(tool: Judged, args: unknown, workspace: string, before?: string): Promise<ToolContext> {
    let agreed = before;
    for (let asked = before === undefined ? 0 : 1; ; asked++) {
      this.#around.signal.throwIfAborted();
      const { intent, decision, context } = await this.#look(tool, args, workspace);
      await this.announce(args, tool.kind, intent.title);
      if (decision.verdict === "deny") throw new Denied(decision.why, true);
      const digest = approvalDigest(tool.name, args, context.workspace, this.#around.turn.runId, intent);
      if (decision.verdict === "allow" || digest === agreed) return context;
      if (asked >= MOST_ASKS) {
        throw new DragomanError("conflict", `${intent.title}: what it is about changed after each answer. Try again.`);
      }
      await this.#ask({ callId: this.callId, tool: this.#name, args, intent, decision, digest }, workspace);
      agreed = digest;
    }
  }

  /** What the call would do now, and what the rules of now say to it. */
  async #look(tool: Judged, args: unknown, workspace: string, by?: "by client") {
    const permissions = await this.#around.ruleBook.read(workspace);
    const context: ToolContext = { workspace, trusted: permissions.trusted, ...(by && { byClient: true }) };
    const meant: Intent = await tool.intent(args, context);
    const intent: Intent = { ...meant, title: onOneLine(meant.title) };
    return { intent, decision: decide(tool, intent, permissions, this.#around.turn.rules), context };
  }

  async #ask(proposal: Proposal, workspace: string): Promise<void> {
    const reply = await this.#around.ask(approvalQuestion(proposal));
    const { ok, remember, reason } = confirmed(reply);
    if (remember) {
      await this.#remember(ok ? "allow" : "deny", async () => ({ workspace, rules: proposal.decision.remember }));
    }
    if (!ok) throw refusal(reason);
  }

  /** The rules that were shown with an ask. The log has them in words only, so they are made anew, and the words must be the same. */
  async #rulesShown(given: unknown, ask: EventOf<"ask.opened">, verdict: Verdict): Promise<Remembered> {
    const tool = this.#tool();
    const workspace = await realWorkspace(this.#around.turn.workspace);
    const { intent, decision } = await this.#look(tool, checkedArgs(tool, given), workspace);
    if (decision.verdict === verdict) return { workspace, rules: [] }; // it holds already
    if (decision.verdict === "ask" && approvalMessage(intent, decision) === ask.message) {
      return { workspace, rules: decision.remember };
    }
    throw new DragomanError("conflict", "what it is about changed meanwhile.");
  }

  /** The answer stands also where it could not be written down; whoever gave it is told. */
  async #remember(verdict: Verdict, find: () => Promise<Remembered>): Promise<void> {
    try {
      const { workspace, rules } = await find();
      if (rules.length > 0) await this.#around.ruleBook.remember(workspace, verdict, rules);
    } catch (error) {
      const text = `The answer counts, but could not be remembered: ${messageOf(error)}`;
      await this.#around.emit({ type: "note", level: "warning", text, source: "policy" });
    }
  }

  #io(): ToolIO {
    const { signal, emit, onKill, supervise } = this.#around;
    const { callId } = this;
    return { signal, onKill, supervise, output: (text) => emit({ type: "tool.output", callId, text }) };
  }
}

function unknownTool(name: string, known: Set<string>): DragomanError {
  const shown = [...known].slice(0, MOST_NAMED).join(", ");
  const more = known.size > MOST_NAMED ? ` and ${known.size - MOST_NAMED} more` : "";
  const there = known.size > 0 ? ` There is: ${shown}${more}.` : "";
  return new DragomanError("unknown_tool", `There is no tool "${name}".${there}`);
}

/** The arguments of a call as its request says them, where the tool takes them. */
export function loggedArgs(tools: Toolbox["tools"], name: string, given: unknown): unknown {
  return tools.get(name)?.args.safeParse(given ?? {}).data ?? given;
}

/** The engine keeps no hand on what was agreed to: the arguments are a copy. */
function checkedArgs(tool: AnyTool, given: unknown): unknown {
  const parsed = tool.args.safeParse(structuredClone(given ?? {}));
  if (parsed.success) return parsed.data;
  throw new DragomanError("invalid_tool_args", `${tool.name}: ${z.prettifyError(parsed.error)}`);
}

async function realWorkspace(workspace: string): Promise<string> {
  try {
    return await realpath(workspace);
  } catch (error) {
    const message = `The workspace ${workspace} is gone or cannot be entered (${messageOf(error)}). Bring it back, or start a session elsewhere.`;
    throw new DragomanError("tool_failed", message);
  }
}
