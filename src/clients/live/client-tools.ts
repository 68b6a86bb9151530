import type { Clock } from "../../core/clock.ts";
import { LiveError } from "./live-error.ts";
import type { Confirmation, SentData, SessionState } from "./protocol.ts";

export interface ToolContext {
  callId: string;
  sessionId: string;
  /** Aborts when nobody waits for the result any more. */
  signal: AbortSignal;
}

/** What it gives is the result, a JSON value; what it throws is the error. */
export type ClientTool = (args: Record<string, unknown>, context: ToolContext) => unknown;

/** Whether a tool of this client may be run; with words for the agent, if not. */
export type ToolDecision = boolean | { approved: boolean; reason?: string };

export type ConfirmTool = (confirmation: Confirmation, context: ToolContext) => ToolDecision | Promise<ToolDecision>;

export interface ToolOptions {
  /** Tools of the agent that this client runs, by their names. */
  tools?: Record<string, ClientTool>;
  /** Asked before such a tool is run where the policy wants a yes. Without it the answer is no. */
  confirm?: ConfirmTool;
  /** How long such a tool may take. */
  toolTimeoutMs?: number;
}

/** What the server is told of them. */
export function toolsData({ tools = {}, toolTimeoutMs }: ToolOptions) {
  const names = Object.keys(tools);
  return names.length === 0 ? {} : { tools: names, tool_timeout_ms: toolTimeoutMs };
}

type Response = SentData<"tool_call_response">;

interface Call {
  controller: AbortController;
  response?: Response;
  /** `sending` until the server has said that it has it. */
  state: "running" | "sending" | "answered";
}

interface ClientToolsOptions {
  sessionId: string;
  clock: Clock;
  tools: Record<string, ClientTool>;
  /** Without it, what needs a yes is refused. */
  confirm?: ConfirmTool;
  /** Resolves when the server has it. */
  respond(response: Response): Promise<unknown>;
  onFault(error: LiveError): void;
}

/** Runs the tools of this client, each call once, also where the connection is lost meanwhile. */
export class ClientTools {
  readonly #options: ClientToolsOptions;
  readonly #calls = new Map<string, Call>();

  constructor(options: ClientToolsOptions) {
    this.#options = options;
  }

  get names(): string[] {
    return Object.keys(this.#options.tools);
  }

  /** What the session waits for now. What was done and could not be told before is told. */
  sync({ open_tool_calls, open_confirmations }: SessionState): void {
    if (this.names.length === 0) return;
    const requested = open_tool_calls.filter((call) => call.executor === "client" && this.#isOwn(call.name));
    const asked = open_confirmations.filter((call) => call.executor === "client" && this.#isOwn(call.name));
    const openIds = new Set([...open_tool_calls, ...asked].map(({ call_id }) => call_id));
    for (const [callId, { controller }] of this.#calls) {
      if (openIds.has(callId)) continue;
      this.#calls.delete(callId);
      controller.abort();
    }
    for (const call of requested) if (!this.#calls.has(call.call_id)) void this.#run(call);
    for (const call of asked) if (!this.#calls.has(call.call_id)) void this.#run(call, call);
  }

  /** Another connection is there. */
  sendAgain(): void {
    for (const call of this.#calls.values()) if (call.state === "sending") void this.#respond(call);
  }

  stop(): void {
    for (const { controller } of this.#calls.values()) controller.abort();
    this.#calls.clear();
  }

  #isOwn(name: string): boolean {
    return Object.hasOwn(this.#options.tools, name);
  }

  async #run({ call_id, name, args }: { call_id: string; name: string; args?: unknown }, asked?: Confirmation) {
    const { clock, sessionId, tools } = this.#options;
    const call: Call = { controller: new AbortController(), state: "running" };
    this.#calls.set(call_id, call);
    const context = { callId: call_id, sessionId, signal: call.controller.signal };
    const began = clock.now();
    try {
      if (asked) await this.#decide(asked, context);
      const result = await tools[name]?.((args ?? {}) as Record<string, unknown>, context);
      call.response = { call_id, result: result ?? null, execution_time_ms: Math.max(0, clock.now() - began) };
    } catch (error) {
      const execution_time_ms = Math.max(0, clock.now() - began);
      call.response = { call_id, error: errorIn(error), execution_time_ms };
    }
    call.state = "sending";
    if (!call.controller.signal.aborted) await this.#respond(call);
  }

  /** Throws where the answer is no. */
  async #decide(asked: Confirmation, context: ToolContext): Promise<void> {
    const decision = (await this.#options.confirm?.(asked, context)) ?? false;
    const { approved, reason } = typeof decision === "boolean" ? { approved: decision } : decision;
    if (!approved) throw new LiveError("PERMISSION_DENIED", reason ?? "The user said no.");
  }

  async #respond(call: Call): Promise<void> {
    if (!call.response) return;
    try {
      await this.#options.respond(call.response);
      call.state = "answered";
    } catch (thrown) {
      const error = thrown as LiveError;
      if (error.code === "CONNECTION_LOST" || error.code === "TIMEOUT") return; // it is told again
      const isUnsendable = error.code === "INVALID" || error.code === "OVERFLOW";
      if (isUnsendable && call.response.error === undefined) {
        const { call_id, execution_time_ms } = call.response;
        const why = new Error(`The result of the tool cannot be sent: ${error.message}`);
        call.response = { call_id, error: errorIn(why), execution_time_ms };
        return this.#respond(call);
      }
      call.state = "answered";
      if (error.details.code !== "ask_closed" && error.code !== "CLOSED") this.#options.onFault(error);
    }
  }
}

function errorIn(error: unknown): Record<string, unknown> {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof LiveError ? error.code : "TOOL_EXECUTION_FAILED";
  return { error_code: code, message, details: {}, severity: "error", retriable: false };
}
