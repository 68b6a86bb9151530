import { type Clock, systemClock } from "../core/clock.ts";
import type { EngineIO, Permission, Turn } from "../core/engine.ts";
import type { ErrorCode } from "../core/errors.ts";
import { derivedId } from "../core/ids.ts";
import { plainName } from "../core/plain-text.ts";
import type { ToolKind } from "../core/tool.ts";
import { shortTitle } from "../tools/short-title.ts";
import { type AgentAction, argsOf, judgedAs } from "./agent-policy.ts";

/** What a tool says beyond this is left out of the log; the agent itself has it. */
const MOST_OUTPUT = 1024 * 1024;

export interface AgentCallAbout {
  tool: string;
  args: unknown;
  title?: string;
  kind?: ToolKind;
}

export type AgentCallEnd = { result?: unknown; diff?: string } | { error: { code: ErrorCode; message: string } };

interface OpenCall {
  startedAt: number;
  /** How much of its output was told. */
  told: number;
  /** Its output as it was last shown. */
  shown: string;
}

const ended: Permission = { allowed: false, code: "conflict", message: "The call has ended already.", goOn: true };

/** The calls of one run that an agent makes itself, as the log has them: each is announced once, and ends once. */
export class AgentCalls {
  readonly #io: EngineIO;
  readonly #turn: Pick<Turn, "runId" | "workspace">;
  readonly #clock: Clock;
  readonly #open = new Map<string, OpenCall>();
  /** There may be thousands of them: nothing is kept but that they have. */
  readonly #ended = new Set<string>();

  constructor(io: EngineIO, turn: Pick<Turn, "runId" | "workspace">, clock: Clock = systemClock) {
    this.#io = io;
    this.#turn = turn;
    this.#clock = clock;
  }

  /** The id in the log: an agent may use the same for two calls in two runs. */
  idOf(agentId: string): string {
    return derivedId(this.#turn.runId, agentId);
  }

  isKnown(agentId: string): boolean {
    return this.isOpen(agentId) || this.#ended.has(agentId);
  }

  isOpen(agentId: string): boolean {
    return this.#open.has(agentId);
  }

  /** Some agents ask for permission before they tell of the call: whichever comes first announces it. */
  async request(agentId: string, { tool, args, title = "", kind }: AgentCallAbout): Promise<void> {
    if (this.isKnown(agentId)) return;
    this.#open.set(agentId, { startedAt: this.#clock.now(), told: 0, shown: "" });
    await this.#io.emit({
      type: "tool.requested",
      callId: this.idOf(agentId),
      tool: shortTitle(plainName(tool)),
      args: args ?? {},
      title: shortTitle(title) || undefined,
      kind,
    });
  }

  /** It may be done from now on: the time in which somebody was asked is not its own. */
  begins(agentId: string): void {
    const call = this.#open.get(agentId);
    if (call) call.startedAt = this.#clock.now();
  }

  /** All that it has said so far or, of much, what the agent shows of it: how it began, or how far it is. */
  async output(agentId: string, shown: string): Promise<void> {
    const call = this.#open.get(agentId);
    if (!call) return;
    const text = newIn(shown, call.shown);
    call.shown = shown;
    await this.append(agentId, text);
  }

  async append(agentId: string, text: string): Promise<void> {
    const call = this.#open.get(agentId);
    if (!call || text === "") return;
    const room = MOST_OUTPUT - call.told;
    call.told += text.length;
    if (room <= 0) return;
    const said = text.length <= room ? text : `${text.slice(0, room)}\n… more is left out here.\n`;
    await this.#io.emit({ type: "tool.output", callId: this.idOf(agentId), text: said });
  }

  /** The first end counts. */
  async finish(agentId: string, end: AgentCallEnd): Promise<void> {
    const call = this.#open.get(agentId);
    if (!call) return;
    this.#open.delete(agentId);
    this.#ended.add(agentId);
    const durationMs = Math.max(0, this.#clock.now() - call.startedAt);
    await this.#io.emit({ type: "tool.finished", callId: this.idOf(agentId), ...end, durationMs });
  }

  /**
   * Whether the agent may do this with it, whatever was announced: what is shown and agreed to is what it asks for. A call that may not go
   * on has ended with that.
   */
  async permit(agentId: string, action: AgentAction): Promise<Permission> {
    if (!this.isOpen(agentId)) return ended;
    const judged = await judgedAs(action, this.#turn.workspace);
    const callId = this.idOf(agentId);
    const permission = await this.#io.permit({ callId, tool: judged.as.name, args: argsOf(action), ...judged });
    // Several things may be asked of one call, and one of the answers was a no.
    if (!this.isOpen(agentId)) return permission.allowed ? ended : permission;
    this.begins(agentId);
    if (!permission.allowed) {
      await this.finish(agentId, { error: { code: permission.code, message: permission.message } });
    }
    return permission;
  }

  /** Nothing stays open at the end of a run. */
  async endOpen(error: { code: ErrorCode; message: string }): Promise<void> {
    for (const agentId of [...this.#open.keys()]) await this.finish(agentId, { error });
  }
}

/** What is shown now and was not before. Where it does not go on from there, something is left out. */
function newIn(shown: string, before: string): string {
  if (shown.startsWith(before)) return shown.slice(before.length);
  let same = 0;
  while (same < shown.length && shown[same] === before[same]) same++;
  const isBeginning = same > before.length / 2;
  return isBeginning ? shown.slice(shown.lastIndexOf("\n", same - 1) + 1) : `\n…\n${shown}`;
}
