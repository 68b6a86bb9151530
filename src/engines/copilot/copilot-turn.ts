import type { PermissionRequest, SessionEvent, ToolResultObject } from "@github/copilot-sdk";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { EngineIO, Turn } from "../../core/engine.ts";
import { DragomanError, type ErrorCode, messageOf } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { type Moment, ProcessTree } from "../../tools/process-tree.ts";
import { AgentCalls } from "../agent-calls.ts";
import { CopilotAnswer } from "./copilot-answer.ts";
import type { CopilotConversation, CopilotUser } from "./copilot-conversation.ts";
import { type Hearing, note, tell } from "./copilot-events.ts";
import { answerInput, answerPlan, type InputRequest, type PlanRequest } from "./copilot-input.ts";
import { CopilotPermits } from "./copilot-permits.ts";
import { planSteps } from "./copilot-plan.ts";
import { resultFor } from "./copilot-tools.ts";
import { CopilotUsage } from "./copilot-usage.ts";
import { InOrder } from "./in-order.ts";

/** So long it may take from the end of its last turn until Copilot says that it has nothing left to do. */
const WAITING_MS = 1000;
const PLAN_ID = "copilot";

/** Who does it. */
interface Worker {
  conversation: Pick<CopilotConversation, "folder" | "isClientTool" | "abort" | "todos">;
  hold(isHeld: boolean): void;
}

/** What Copilot does for one run, from the message that it is sent to the moment in which it has nothing left to do. */
export class CopilotTurn implements CopilotUser {
  /** Resolves in that moment. */
  readonly over: Promise<void>;
  readonly #io: EngineIO;
  readonly #conversation: Worker["conversation"];
  readonly #clock: Clock;
  readonly #events: InOrder;
  readonly #hearing: Hearing;
  readonly #permits: CopilotPermits;
  #startedAt: Moment | undefined;
  #finish: () => void = () => {};
  #messageId: string | undefined;
  /** Messages that Copilot has begun with: what is told before ours is of something earlier. */
  readonly #begun = new Set<string>();
  #idle: { aborted?: boolean } | undefined;
  #callOffWaiting = () => {};
  #todosChanged = false;
  #readingTodos: Promise<void> | undefined;

  constructor(turn: Pick<Turn, "runId" | "workspace">, io: EngineIO, worker: Worker, clock: Clock = systemClock) {
    const { conversation } = worker;
    this.#io = io;
    this.#conversation = conversation;
    this.#clock = clock;
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#events = new InOrder((isHeld) => worker.hold(isHeld));
    const calls = new AgentCalls(io, turn, clock);
    const isClientTool = (name: string) => conversation.isClientTool(name);
    const { workspace } = turn;
    this.#permits = new CopilotPermits({
      clock,
      calls,
      events: this.#events,
      workspace,
      ownFolder: () => conversation.folder,
      isClientTool,
      isOfSubAgent: (callId) => this.#hearing.subAgentCalls.has(callId),
      stop: () => void conversation.abort().catch(() => {}), // it is lost, and that is told elsewhere
    });
    this.#hearing = {
      io,
      workspace,
      calls,
      answer: new CopilotAnswer(io),
      usage: new CopilotUsage(io),
      subAgents: new Map(),
      subAgentCalls: new Set(),
      retries: 0,
      isClientTool,
      readTodos: () => {
        this.#todosChanged = true;
        this.#readingTodos ??= this.#readTodos();
      },
    };
  }

  /** From when on what Copilot starts are its tools, if it has begun: with the first message it starts the user's MCP servers, too. */
  get startedAt(): Moment | undefined {
    return this.#startedAt;
  }

  /** The message with this id is ours. */
  sent(messageId: string): void {
    this.#messageId = messageId;
    this.#endIfOver();
  }

  hear(event: SessionEvent): void {
    if (event.type === "assistant.turn_start") this.#startedAt ??= ProcessTree.now();
    this.#events
      .add(() => this.#tell(event))
      .catch((error) => note(this.#io, "debug", `${event.type} of Copilot's is not understood: ${messageOf(error)}`));
    if (event.type === "tool.execution_start") this.#permits.toldOf(event.data.toolCallId);
  }

  permit(request: PermissionRequest) {
    return this.#permits.decide(request);
  }

  async answer(request: InputRequest) {
    await this.#saidBefore();
    return answerInput(this.#io, request);
  }

  async judgePlan(request: PlanRequest) {
    await this.#saidBefore();
    return answerPlan(this.#io, request);
  }

  async useTool(name: string, args: unknown): Promise<ToolResultObject> {
    await this.#saidBefore();
    const reply = await this.#io.tool(name, args ?? {});
    if (reply.outcome === "denied" && !reply.goOn) this.#permits.refuse(name);
    return resultFor(reply);
  }

  /** What the run comes to, once it is over. */
  async result(): Promise<RunResult> {
    const { answer, failure } = this.#hearing;
    const { refused } = this.#permits;
    await this.#readingTodos;
    await this.close("tool_failed", "Copilot did not tell how it ended.");
    if (refused !== undefined) await answer.say("refused", `I stopped, because you said no to this: ${refused}`);
    else if (failure) throw failure;
    else if (this.#idle?.aborted) throw new DragomanError("engine_failed", "Copilot broke off its work. Try again.");
    return { text: answer.text };
  }

  /** Nothing that Copilot began is left open. */
  async close(code: ErrorCode, message: string): Promise<void> {
    this.#callOffWaiting();
    await this.#events.add(() => this.#hearing.calls.endOpen({ code, message }));
  }

  /** No question overtakes the words that lead to it, though those may still wait to be written. */
  #saidBefore(): Promise<void> {
    return this.#events.add(async () => {});
  }

  async #tell(event: SessionEvent): Promise<void> {
    await tell(this.#hearing, event);
    if (event.agentId !== undefined) return;
    switch (event.type) {
      case "user.message":
        this.#idle = undefined;
        if (event.data.messageId !== undefined) this.#begun.add(event.data.messageId);
        break;
      case "assistant.turn_start":
        this.#callOffWaiting();
        this.#idle = undefined;
        break;
      case "assistant.idle":
        this.#tellOfWaiting();
        break;
      case "session.idle":
        this.#callOffWaiting();
        this.#idle = event.data;
        this.#endIfOver();
        break;
    }
  }

  #endIfOver(): void {
    const isOurs = this.#messageId !== undefined && this.#begun.has(this.#messageId);
    // A message that is aborted early is never begun with.
    if (this.#idle && (isOurs || this.#idle.aborted || this.#hearing.failure)) this.#finish();
  }

  /** What it started in the background may take for ever. */
  #tellOfWaiting(): void {
    this.#callOffWaiting();
    const text = "Copilot waits for what it has started in the background. Cancel the run to stop that.";
    this.#callOffWaiting = this.#clock.after(WAITING_MS, () => void note(this.#io, "info", text), "in background");
  }

  /** It tells that they changed, often several times in a row, and has to be asked how. */
  async #readTodos(): Promise<void> {
    while (this.#todosChanged) {
      this.#todosChanged = false;
      const steps = planSteps(await this.#conversation.todos().catch(() => [])); // they are but a help
      if (steps.length > 0) await this.#io.emit({ type: "plan.updated", planId: PLAN_ID, steps });
    }
    this.#readingTodos = undefined;
  }
}
