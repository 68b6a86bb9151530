import type { Clock } from "../../core/clock.ts";
import type { EngineIO, Permission, Turn } from "../../core/engine.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { plainName } from "../../core/plain-text.ts";
import { shortTitle } from "../../tools/short-title.ts";
import { type AgentCallEnd, AgentCalls } from "../agent-calls.ts";
import { argsOf } from "../agent-policy.ts";
import { diffIn, textIn } from "./call-content.ts";
import { type CallPlace, kindAfter, readingsOf, type ToldCall, toolKindOf } from "./call-readings.ts";
import { permitCall } from "./permit-call.ts";
import type { ToolCallTold } from "./wire.ts";

const LONGEST_KEPT = 200_000;

const ended: Permission = { allowed: false, code: "conflict", message: "The call has ended already.", goOn: true };

export interface CallsAround {
  io: EngineIO;
  turn: Pick<Turn, "runId" | "workspace">;
  clock: Clock;
  /** The engine's name. */
  source: string;
}

interface Call extends ToldCall {
  status: string;
  /** What it is about comes piece by piece, as the model says it. */
  grows: boolean;
  /** What it has said in pieces. */
  output: string;
  exitCode?: number;
  rawOutput: unknown;
}

/** What came of a question, and what it was about in a few words. */
export interface Permitted {
  permission: Permission;
  title: string;
}

/**
 * The calls that an agent tells of in a run. One that is announced by nothing but its name is not told before it is known what it is about:
 * whoever is asked about it is shown that.
 */
export class CallBook {
  readonly #io: EngineIO;
  readonly #calls: AgentCalls;
  readonly #place: CallPlace;
  readonly #ids = new Set<string>();
  /** Those that have not ended: what they are about may be large. */
  readonly #book = new Map<string, Call>();
  readonly #held = new Set<string>();

  constructor({ io, turn, clock, source }: CallsAround) {
    this.#io = io;
    this.#calls = new AgentCalls(io, turn, clock);
    this.#place = { source, workspace: turn.workspace };
  }

  /** As the agent names them. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  async tell(told: ToolCallTold, isUpdate: boolean): Promise<void> {
    const { toolCallId: id } = told;
    await this.tellHeld(id);
    if (this.#hasEnded(id)) return;
    const call = this.#merge(told);
    const ends = call.status === "completed" || call.status === "failed";
    if (call.grows && call.status === "pending" && !this.#calls.isKnown(id)) return;
    await this.#announce(id, call);
    await this.#tellOutput(id, call, told, isUpdate && !ends);
    if (!ends) return;
    const end = this.#endOf(call);
    // Some tell what a command has said only when it has ended.
    if (call.kind === "execute" && call.output === "") await this.#calls.append(id, end.text);
    await this.#finish(id, end.how);
  }

  /** Something else came: what is not told yet is known by now. */
  async tellHeld(except?: string): Promise<void> {
    for (const id of this.#held) {
      const call = this.#book.get(id);
      if (id !== except && call && isUnderstood(call)) await this.#announce(id, call);
    }
  }

  /** Whether the agent may make a call. It may not have told of it before. A call that it may not make has ended with that. */
  async permit(told: ToolCallTold): Promise<Permitted> {
    const id = told.toolCallId;
    if (this.#hasEnded(id)) return { permission: ended, title: shortTitle(told.title ?? "a call") };
    // What it showed before is not taken back by a question that shows nothing.
    const call = this.#merge({ ...told, content: told.content?.length ? told.content : undefined });
    await this.#announce(id, call);
    const asked = { callId: this.#calls.idOf(id), tool: plainName(toolOf(call)), args: this.#argsOf(call) };
    const given = await permitCall(this.#io, asked, call, this.#place);
    // The same call may have been asked about twice, and one of the answers was a no.
    const permission = given.allowed && this.#hasEnded(id) ? ended : given;
    if (permission.allowed) this.#calls.begins(id);
    else await this.fail(id, permission.code, permission.message);
    return { permission, title: this.#titleOf(call) };
  }

  async fail(id: string, code: ErrorCode, message: string): Promise<void> {
    await this.#finish(id, { error: { code, message } });
  }

  /** A call of which nothing but the name is known is left out. */
  async endOpen(code: ErrorCode, message: string): Promise<void> {
    await this.tellHeld();
    await this.#calls.endOpen({ code, message });
  }

  #hasEnded(id: string): boolean {
    return this.#calls.isKnown(id) && !this.#calls.isOpen(id);
  }

  async #finish(id: string, end: AgentCallEnd): Promise<void> {
    this.#book.delete(id);
    await this.#calls.finish(id, end);
  }

  #titleOf(call: Call): string {
    const [reading] = readingsOf(call, this.#place);
    return shortTitle(reading?.does === "run" ? reading.command : call.title || toolOf(call));
  }

  #merge(told: ToolCallTold): Call {
    const before = this.#book.get(told.toolCallId);
    const call: Call = {
      name: told.name ?? claudeToolName(told) ?? before?.name,
      title: told.title ?? before?.title ?? "",
      kind: kindAfter(before?.kind, told.kind ?? undefined),
      status: told.status ?? before?.status ?? "in_progress",
      rawInput: { ...before?.rawInput, ...fieldsOf(told.rawInput) },
      content: told.content ?? before?.content ?? [],
      locations: told.locations?.length ? told.locations : (before?.locations ?? []),
      rawOutput: told.rawOutput ?? before?.rawOutput,
      output: before?.output ?? "",
      exitCode: exitCodeIn(told) ?? before?.exitCode,
      grows: before?.grows ?? false,
    };
    if (!before && call.status === "pending" && !isUnderstood(call)) {
      call.grows = true;
      this.#held.add(told.toolCallId);
    }
    this.#ids.add(told.toolCallId);
    this.#book.set(told.toolCallId, call);
    return call;
  }

  async #announce(id: string, call: Call): Promise<void> {
    if (this.#calls.isKnown(id)) return;
    this.#held.delete(id);
    const about = { tool: toolOf(call), args: this.#argsOf(call), title: call.title || undefined };
    await this.#calls.request(id, { ...about, kind: toolKindOf(call.kind) });
  }

  #argsOf(call: Call): unknown {
    if (Object.keys(call.rawInput).length > 0) return call.rawInput;
    const [reading] = readingsOf(call, this.#place);
    return reading ? argsOf(reading) : {};
  }

  /** Some send all of it each time, others the next piece in a place of their own. */
  async #tellOutput(id: string, call: Call, told: ToolCallTold, isContentOutput: boolean): Promise<void> {
    const piece = terminalPiece(told);
    const whole = isContentOutput && piece === "" ? textIn(told.content ?? []) : "";
    const next = piece || (whole.startsWith(call.output) ? whole.slice(call.output.length) : "");
    call.output = (call.output + next).slice(0, LONGEST_KEPT);
    await this.#calls.append(id, next);
  }

  #endOf(call: Call): { text: string; how: AgentCallEnd } {
    const said = unfenced(textIn(call.content)) || call.output || outputText(call.rawOutput);
    const text = said.replace(copilotEnd, "");
    if (call.status === "failed")
      return { text, how: { error: { code: "tool_failed", message: text || "It failed." } } };
    const code = call.exitCode ?? copilotEnd.exec(said)?.[1];
    const exitCode = code === undefined ? {} : { exitCode: Number(code) };
    return { text, how: { result: { text, ...exitCode }, diff: diffIn(call.content, this.#place.workspace) } };
  }
}

/** Where an agent does not say what it calls a tool, what kind it is of is all there is. */
const toolOf = ({ name, kind }: Call) => name ?? kind;

/** Copilot puts it behind what a command says. */
const copilotEnd = /<shellId: \S+ completed with exit code (\d+)>\s*$/;

/** Claude puts what a command says into a block of code. */
function unfenced(text: string): string {
  return /^```\w*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;
}

/** A folder alone does not say what is done in it. */
function isUnderstood({ rawInput, content }: Call): boolean {
  return content.length > 0 || Object.keys(rawInput).some((field) => field !== "cwd");
}

function fieldsOf(rawInput: unknown): Record<string, unknown> {
  if (rawInput === undefined || rawInput === null) return {};
  return typeof rawInput === "object" && !Array.isArray(rawInput) ? { ...rawInput } : { input: rawInput };
}

function fieldIn(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined;
  }, value);
}

function claudeToolName({ _meta }: ToolCallTold): string | undefined {
  const name = fieldIn(_meta, "claudeCode", "toolName");
  return typeof name === "string" ? name : undefined;
}

/** Codex sends what a command says, and its end, beside the call. */
function terminalPiece({ _meta }: ToolCallTold): string {
  const data = fieldIn(_meta, "terminal_output_delta", "data") ?? fieldIn(_meta, "terminal_output", "data");
  return typeof data === "string" ? data : "";
}

function exitCodeIn({ _meta }: ToolCallTold): number | undefined {
  const code = fieldIn(_meta, "terminal_exit", "exit_code");
  return typeof code === "number" ? code : undefined;
}

function outputText(rawOutput: unknown): string {
  const found = [rawOutput, ...["output", "content", "message", "error"].map((name) => fieldIn(rawOutput, name))];
  const text = found.find((each) => typeof each === "string");
  return typeof text === "string" ? text.slice(0, LONGEST_KEPT).toWellFormed() : "";
}
