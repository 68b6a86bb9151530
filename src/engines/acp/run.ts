import { setMaxListeners } from "node:events";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { Clock } from "../../core/clock.ts";
import type { EngineIO, Permission, Turn } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { modelFailure, plainError } from "../agent-failure.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { AcpAgent } from "./agent.ts";
import type { PermissionOutcome } from "./connection.ts";
import { AgentCrash, statusIn } from "./failures.ts";
import { Narration } from "./narration.ts";
import { allowing, cancelled, refusing } from "./permissions.ts";
import { promptBlocks } from "./prompt-blocks.ts";
import type { Note, Worker } from "./switchboard.ts";
import { tookNothing } from "./usage.ts";
import { LATE, within } from "./waiting.ts";
import type { PermissionRequest, Prompted, Update } from "./wire.ts";

/** How long a cancelled agent may take to end its turn. */
const CANCEL_MS = 2000;
/** How often an agent is told in one run why it was not allowed something. */
const MOST_FOLLOW_UPS = 5;
/** More questions at once are nobody's to answer. */
const MOST_OPEN = 64;

export interface RunAround {
  turn: Turn;
  io: EngineIO;
  signal: AbortSignal;
  clock: Clock;
  /** The engine's name. */
  source: string;
  textsAreErrors: boolean;
}

/** One run on an agent: a turn of it, and another one for each time that it has to be told why it was not allowed something. */
export class AcpRun implements Worker {
  readonly #agent: AcpAgent;
  readonly #around: RunAround;
  readonly #narration: Narration;
  /** What the agent is yet to be told about what it was not allowed, and whether that must be. */
  #refused: { text: string; isWord: boolean }[] = [];
  /** How far it was when it heard the last no. */
  #progress = "";
  #openQuestions = 0;
  #hasAskedTooMuch = false;
  /** Someone said no, and nothing else: what to. */
  #stoppedAt: string | undefined;
  readonly #stop = new AbortController();

  constructor(agent: AcpAgent, around: RunAround) {
    this.#agent = agent;
    this.#around = around;
    this.#narration = new Narration({ ...around, usage: agent.usage });
    setMaxListeners(0, this.#stop.signal); // every question listens
  }

  /** Rejects with an `AgentCrash` where the agent is gone. */
  async execute(): Promise<RunResult> {
    const { io, signal } = this.#around;
    const takeBack = io.onKill(() => this.#agent.end(0));
    try {
      return await this.#agent.employ(this, signal, () => this.#work());
    } catch (error) {
      await this.#endCalls(error);
      throw error;
    } finally {
      this.#agent.keepCalls(this.#narration.calls.ids);
      takeBack();
    }
  }

  /** An agent may use an id again: then it begins a call, and does not tell of an old one. */
  async update(update: Update): Promise<void> {
    const { sessionUpdate, toolCallId: id } = update;
    const isNew = sessionUpdate === "tool_call" || (typeof id === "string" && this.#narration.calls.ids.has(id));
    if (!isNew && this.#agent.isOldCall(id)) return;
    await this.#narration.tell(update);
  }

  async permission(request: PermissionRequest): Promise<PermissionOutcome> {
    if (this.#openQuestions >= MOST_OPEN) return this.#tooMuch(request);
    this.#openQuestions++;
    try {
      return await this.#permission(request);
    } finally {
      this.#openQuestions--;
    }
  }

  #tooMuch({ options }: PermissionRequest): PermissionOutcome {
    const text = `${this.#agent.title} asks about more than ${MOST_OPEN} things at once. What is above that is not allowed.`;
    if (!this.#hasAskedTooMuch) this.note({ level: "warning", text });
    this.#hasAskedTooMuch = true;
    return refusing(options) ?? cancelled;
  }

  async #permission({ toolCall, options }: PermissionRequest): Promise<PermissionOutcome> {
    const { signal } = this.#around;
    if (signal.aborted || this.#stoppedAt !== undefined) return cancelled;
    // An agent that is stopped may wait for its answer before it ends its turn.
    const permitted = await unlessAborted(this.#stop.signal, this.#narration.permit(toolCall)).catch(() => undefined);
    if (!permitted || signal.aborted || this.#stoppedAt !== undefined) return cancelled;
    const { permission, title } = permitted;
    if (!permission.allowed && permission.code === "cancelled") return cancelled;
    const outcome = permission.allowed ? allowing(options) : refusing(options);
    if (permission.allowed && outcome) return outcome;
    await this.#refuse(toolCall.toolCallId, title, permission);
    if (!outcome) setImmediate(() => this.#agent.cancel()); // the only other way to say no
    return outcome ?? cancelled;
  }

  async #refuse(id: string, title: string, permission: Permission): Promise<void> {
    if (permission.allowed) {
      const message = "it can only be allowed for ever, and nobody agrees to that on behalf of another.";
      await this.#narration.calls.fail(id, "denied", `The agent offers no way to allow it just once: ${message}`);
      this.#refused.push({ text: `${title}: ${message}`, isWord: false });
    } else if (permission.goOn || permission.code !== "denied") {
      this.#refused.push({ text: `${title}: ${permission.message}`, isWord: permission.reason !== undefined });
    } else {
      this.#stoppedAt = title;
      setImmediate(() => this.#stop.abort()); // the answer goes first
    }
    this.#progress = this.#narration.progress;
  }

  note({ level, text }: Note): void {
    void this.#narration.note(level, text);
  }

  async #work(): Promise<RunResult> {
    const { turn } = this.#around;
    this.#agent.usage.beginRun();
    let blocks = promptBlocks(turn.input, turn.workspace, this.#agent.takesContent);
    for (let followUps = 0; ; followUps++) {
      const prompted = await this.#prompt(blocks);
      if (this.#stoppedAt !== undefined) return this.#stopped(this.#stoppedAt, prompted);
      await this.#endTurn(prompted, this.#refused.length > 0);
      const refused = this.#toBeTold();
      if (refused.length === 0 || followUps >= MOST_FOLLOW_UPS) return this.#result();
      const text = followUp(refused);
      await this.#narration.note("info", `${this.#agent.title} is told: ${text}`);
      blocks = [{ type: "text", text }];
    }
  }

  /** With a no the agent hears no reason. What a person said must reach it; what a rule says only where it did nothing more. */
  #toBeTold(): string[] {
    const refused = this.#refused;
    this.#refused = [];
    const hasStopped = this.#narration.progress === this.#progress;
    return hasStopped || refused.some(({ isWord }) => isWord) ? refused.map(({ text }) => text) : [];
  }

  /** Resolves with nothing where someone stopped it. */
  async #prompt(blocks: ContentBlock[]): Promise<Prompted | undefined> {
    const { signal } = this.#around;
    signal.throwIfAborted();
    const answered = this.#agent.prompt(blocks);
    const halted = AbortSignal.any([signal, this.#stop.signal]);
    try {
      return await unlessAborted(halted, answered);
    } catch (error) {
      if (!halted.aborted) throw error;
      await this.#halt(answered);
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** An agent that does not end its turn is ended. */
  async #halt(answered: Promise<Prompted>): Promise<void> {
    this.#agent.cancel();
    await this.#endCalls();
    const ended = answered.catch(() => undefined); // it came to an end as well
    const prompted = await within(CANCEL_MS, ended, this.#around.clock);
    if (prompted === LATE) await this.#agent.end(0);
    else if (prompted) await this.#tellUsage(prompted);
  }

  async #tellUsage(prompted: Prompted): Promise<void> {
    if (this.#agent.usage.endTurn(prompted)) await this.#narration.tellUsage();
  }

  async #endTurn(prompted: Prompted | undefined, isRefused: boolean): Promise<void> {
    const narration = this.#narration;
    const failure = await narration.endTurn();
    if (!prompted) return;
    await this.#tellUsage(prompted);
    if (failure) throw modelFailure(this.#agent.title, plainError(failure.message), failure.status);
    await this.#heed(prompted, isRefused);
  }

  /** How the turn ended is not always well. */
  async #heed(prompted: Prompted, isRefused: boolean): Promise<void> {
    const { title } = this.#agent;
    const narration = this.#narration;
    switch (prompted.stopReason) {
      case "refusal":
        throw new DragomanError("engine_failed", `${title} refuses to go on with this. Ask for it in another way.`);
      case "cancelled":
        if (isRefused) return;
        throw new DragomanError("engine_failed", `${title} stopped its turn by itself. Try again.`);
      case "max_tokens":
        return narration.note(
          "warning",
          `The answer is cut: the model may not say more at once. Ask ${title} to go on.`,
        );
      case "max_turn_requests":
        return narration.note("warning", `${title} has made as many requests as it does in one turn. Ask it to go on.`);
    }
    if (!tookNothing(prompted) || narration.calls.ids.size > 0 || narration.hasModelText) return;
    const why = narration.answer || "it ended its turn without an answer, and asked no model";
    throw modelFailure(title, plainError(why), statusIn(why));
  }

  async #result(): Promise<RunResult> {
    await this.#narration.calls.endOpen("tool_failed", "The agent ended its turn without saying what came of it.");
    return { text: this.#narration.answer };
  }

  async #stopped(at: string, prompted: Prompted | undefined): Promise<RunResult> {
    await this.#narration.endTurn();
    await this.#endCalls();
    if (prompted) await this.#tellUsage(prompted); // it has ended its turn before it was told to
    await this.#narration.say(`Stopped, for this was not allowed: ${at}`);
    return { text: this.#narration.answer };
  }

  async #endCalls(error?: unknown): Promise<void> {
    const { calls } = this.#narration;
    if (this.#around.signal.aborted) await calls.endOpen("cancelled", "The run was cancelled.");
    else if (this.#stoppedAt !== undefined) await calls.endOpen("cancelled", "The turn was stopped.");
    else if (error instanceof AgentCrash) await calls.endOpen("tool_failed", "The agent is gone.");
    else await calls.endOpen("tool_failed", "The run failed before it ended.");
  }
}

function followUp(refused: string[]): string {
  const [first, ...more] = refused;
  const what =
    more.length === 0 ? `This was not allowed: ${first}` : `These were not allowed:\n- ${refused.join("\n- ")}`;
  return `${what}\n\nGo on with that in mind, and do not try the same again.`;
}
