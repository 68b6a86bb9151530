import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import * as z from "zod";
import type { Clock } from "./clock.ts";
import type { AskReply, ConfirmAnswer, Emitted, Turn } from "./engine.ts";
import { asDragomanError, DragomanError, messageOf } from "./errors.ts";
import type { Question } from "./events.ts";
import type { NewId } from "./ids.ts";
import { type Decision, decide, described, onOneLine } from "./policy.ts";
import type { Rule, RuleBook } from "./rules.ts";
import type { AnyTool, Intent, ToolContext, ToolIO, ToolReply, ToolResult } from "./tool.ts";

/** What changes under the eyes of whoever is asked, again and again, is given up. */
const MOST_ASKS = 3;

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
  ask(question: Question): Promise<AskReply>;
  onKill: ToolIO["onKill"];
}

/** A decision against the call. */
class Denied extends Error {
  constructor(
    message: string,
    readonly goOn: boolean,
  ) {
    super(message);
  }
}

/**
 * One call of a tool, from the request to its end in the log. Nothing is executed that the policy denies, and nothing that it asks
 * about before a person said yes to exactly this tool, these arguments, this folder and this run.
 */
export async function callTool(around: Surroundings, name: string, given: unknown): Promise<ToolReply> {
  const callId = around.newId();
  const call = new ToolCall(around, callId, name);
  let startedAt = around.clock.now();
  const took = () => Math.max(0, around.clock.now() - startedAt);
  try {
    const execute = await call.prepare(given);
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
  readonly #around: Surroundings;
  readonly #callId: string;
  readonly #name: string;
  #announced = false;

  constructor(around: Surroundings, callId: string, name: string) {
    this.#around = around;
    this.#callId = callId;
    this.#name = name;
  }

  /** Resolves with what is to be executed, when everyone who has a say agreed to it. */
  async prepare(given: unknown): Promise<() => Promise<ToolResult>> {
    const { tools, turn } = this.#around;
    const tool = tools.get(this.#name);
    if (!tool) throw new DragomanError("unknown_tool", `There is no tool "${this.#name}".`);
    const args = checkedArgs(tool, given);
    const workspace = await realWorkspace(turn.workspace);
    const context = await this.#agree(tool, args, workspace);
    return () => tool.run(args, context, this.#io());
  }

  /** Says once that there is such a call. */
  async announce(args: unknown, tool?: AnyTool, title?: string): Promise<void> {
    if (this.#announced) return;
    this.#announced = true;
    const kind = tool?.kind;
    await this.#around.emit({ type: "tool.requested", callId: this.#callId, tool: this.#name, args, title, kind });
  }

  /** What is agreed to is looked at once more afterwards, under the rules as they are then, and asked about again if it changed. */
  async #agree(tool: AnyTool, args: unknown, workspace: string): Promise<ToolContext> {
    let agreed: string | undefined;
    for (let asked = 0; ; asked++) {
      this.#around.signal.throwIfAborted();
      const permissions = await this.#around.ruleBook.read(workspace);
      const context: ToolContext = { workspace, trusted: permissions.trusted };
      const meant: Intent = await tool.intent(args, context);
      const intent: Intent = { ...meant, title: onOneLine(meant.title) };
      await this.announce(args, tool, intent.title);
      const decision = decide(tool, intent, permissions);
      if (decision.verdict === "deny") throw new Denied(decision.why, true);
      const digest = approvalDigest(tool.name, args, context.workspace, this.#around.turn.runId, intent);
      if (decision.verdict === "allow" || digest === agreed) return context;
      if (asked >= MOST_ASKS) {
        throw new DragomanError("conflict", `${intent.title}: what it is about changed after each answer. Try again.`);
      }
      await this.#ask(tool, args, intent, decision, digest, context);
      agreed = digest;
    }
  }

  async #ask(
    tool: AnyTool,
    args: unknown,
    intent: Intent,
    decision: Extract<Decision, { verdict: "ask" }>,
    digest: string,
    { workspace }: ToolContext,
  ): Promise<void> {
    const reply = await this.#around.ask({
      kind: "confirm",
      title: `${intent.title}?`,
      message: askText(intent, decision),
      callId: this.#callId,
      tool: tool.name,
      args,
      path: intent.path,
      diff: intent.diff,
      danger: decision.danger || undefined,
      confirmLabel: "Yes",
      cancelLabel: "No",
      allowRemember: decision.remember.length > 0,
      allowReason: true,
      digest,
    });
    const { ok, remember, reason } = confirmed(reply);
    if (remember) await this.#remember(workspace, ok ? "allow" : "deny", decision.remember);
    if (!ok) throw new Denied(reason || "The user said no.", Boolean(reason));
  }

  /** The answer stands also where it could not be written down; whoever gave it is told. */
  async #remember(workspace: string, verdict: "allow" | "deny", rules: Rule[]): Promise<void> {
    if (rules.length === 0) return;
    try {
      await this.#around.ruleBook.remember(workspace, verdict, rules);
    } catch (error) {
      const text = `The answer counts, but could not be remembered: ${messageOf(error)}`;
      await this.#around.emit({ type: "note", level: "warning", text, source: "policy" });
    }
  }

  #io(): ToolIO {
    const { signal, emit, onKill } = this.#around;
    const callId = this.#callId;
    return { signal, onKill, output: (text) => emit({ type: "tool.output", callId, text }) };
  }
}

function confirmed(reply: AskReply): ConfirmAnswer {
  switch (reply.outcome) {
    case "answered":
      return reply.answer as ConfirmAnswer;
    case "withdrawn":
      throw new DragomanError("cancelled", "The question was withdrawn before anyone answered it.");
    case "expired":
      throw new Denied("Nobody answered in time.", true);
    case "denied":
      throw new Denied("It needs someone's yes, and no one is attached who could give it.", true);
  }
}

function askText({ detail }: Intent, { why, remember }: Extract<Decision, { verdict: "ask" }>): string {
  const rules = remember.length > 0 ? `If remembered for this workspace: ${remember.map(described).join("; ")}` : "";
  return [detail ?? "", why, rules].filter((part) => part !== "").join("\n\n");
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

/** What a yes is bound to. */
function approvalDigest(tool: string, args: unknown, workspace: string, runId: string, intent: Intent): string {
  const targets = intent.targets.map(({ real, writes }) => [real, writes]);
  const bound = JSON.stringify([tool, args, workspace, runId, targets, intent.basis ?? null]);
  return createHash("sha256").update(bound).digest("hex");
}
