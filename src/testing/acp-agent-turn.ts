import { spawn } from "node:child_process";
import type { PermissionOption, PromptResponse, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type AgentWire, AnsweredError } from "./acp-agent-wire.ts";

// What the scripted agent of `acp-agent.ts` does in a turn.

export type Step =
  | { say: string }
  | { update: Record<string, unknown>; of?: string }
  | { ask: Record<string, unknown>; options?: PermissionOption[]; yes?: Step[]; no?: Step[] }
  /** All at once. */
  | { together: Step[] }
  /** As it stands, on stdout. */
  | { print: string }
  /** On stderr. */
  | { warn: string }
  /** A program of its own that it does not wait for. */
  | { start: string[] }
  | { flood: number }
  | { hang: "until cancelled" | "for ever"; usage?: Record<string, number> }
  | { crash: number }
  | { fail: { code: number; message: string; data?: unknown } }
  | { end: Record<string, unknown> }
  /** Says how many prompts its session has had, this one included. */
  | { count: true }
  /** Says what it was sent. */
  | { echo: true };

const usualOptions: PermissionOption[] = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

export interface TurnAround {
  wire: AgentWire;
  sessionId: string;
  /** How many prompts the session has had. */
  count: number;
  cancelled: AbortSignal;
  sent: unknown;
  hear(what: string): void;
}

/** Thrown where a turn ends. */
class Ended extends Error {
  constructor(readonly response: PromptResponse) {
    super("ended");
  }
}

/** What the turn ends with. */
export async function performTurn(steps: Step[], around: TurnAround): Promise<PromptResponse> {
  try {
    await new Turn(around).perform(steps);
    return { stopReason: "end_turn" };
  } catch (error) {
    if (error instanceof Ended) return error.response;
    throw error;
  }
}

class Turn {
  readonly #around: TurnAround;

  constructor(around: TurnAround) {
    this.#around = around;
  }

  async perform(steps: Step[]): Promise<void> {
    for (const step of steps) await this.#step(step);
  }

  async #say(text: string): Promise<void> {
    await this.#tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  async #step(step: Step): Promise<void> {
    if ("say" in step) await this.#say(step.say);
    else if ("update" in step) await this.#tell(step.update, step.of);
    else if ("ask" in step) await this.#ask(step);
    else if ("together" in step) await this.#together(step.together);
    else if ("print" in step) process.stdout.write(step.print);
    else if ("warn" in step) process.stderr.write(step.warn);
    else if ("start" in step) start(step.start);
    else if ("flood" in step) await this.#flood(step.flood);
    else if ("hang" in step) await this.#hang(step.hang === "for ever", step.usage);
    else if ("crash" in step) process.exit(step.crash);
    else if ("fail" in step) throw new AnsweredError(step.fail.code, step.fail.message, step.fail.data);
    else if ("end" in step) throw new Ended(step.end as PromptResponse);
    else if ("count" in step) await this.#say(`prompt ${this.#around.count}`);
    else await this.#say(JSON.stringify(this.#around.sent));
  }

  async #ask({ ask, options = usualOptions, yes = [], no = [] }: Extract<Step, { ask: unknown }>): Promise<void> {
    const { wire, sessionId, hear } = this.#around;
    const params = { sessionId, toolCall: ask, options };
    const { outcome } = await wire.request<RequestPermissionResponse>("session/request_permission", params);
    hear(`answered ${outcome.outcome === "selected" ? outcome.optionId : outcome.outcome}`);
    if (outcome.outcome === "cancelled") return this.#hang(false);
    const { kind } = options.find(({ optionId }) => optionId === outcome.optionId) ?? {};
    await this.perform(kind?.startsWith("allow") ? yes : no);
  }

  /** It ends when all of it has. */
  async #together(steps: Step[]): Promise<void> {
    const ends = await Promise.allSettled(steps.map((step) => this.#step(step)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #flood(count: number): Promise<void> {
    for (let number = 0; number < count; number++) await this.#say(`${number} ${"x".repeat(1000)}\n`);
  }

  #hang(isForEver: boolean, usage?: Record<string, number>): Promise<never> {
    return new Promise((_, reject) => {
      const { cancelled } = this.#around;
      const stop = () => reject(new Ended({ stopReason: "cancelled", ...(usage && { usage }) }));
      if (isForEver) return;
      if (cancelled.aborted) stop();
      else cancelled.addEventListener("abort", stop);
    });
  }

  async #tell(update: Record<string, unknown>, sessionId = this.#around.sessionId): Promise<void> {
    await this.#around.wire.notify("session/update", { sessionId, update });
  }
}

function start([file = "", ...args]: string[]): void {
  spawn(file, args, { stdio: "ignore", detached: true }).unref();
}
