import type { Clock } from "../../../core/clock.ts";
import { BoundedMap } from "../../bounded-map.ts";
import type { DataOf, Message } from "../messages.ts";

/** A call that takes no longer than this needs nothing said of it while it does. */
const FIRST_AFTER_MS = 5000;
const EVERY_MS = 10_000;
/** One that began long ago may have ended in what the client is about to be sent. */
const LEAST_MS = 1000;
const MOST_CALLS = 100;

interface OpenCall {
  correlationId: string;
  startedAt: number;
  waitsForPerson: boolean;
  callOff(): void;
}

interface ToolClockOptions {
  clock: Clock;
  /** Says how long the call has been open, if it can be said now. */
  say(status: DataOf<"tool_execution_status">, correlationId: string): void;
}

/** Tells of the calls of one session that take long, while nothing else does. */
export class ToolClock {
  readonly #options: ToolClockOptions;
  readonly #open = new BoundedMap<OpenCall>(MOST_CALLS);
  readonly #callsOfAsks = new BoundedMap<string>(MOST_CALLS);

  constructor(options: ToolClockOptions) {
    this.#options = options;
  }

  /** The calls that were open when the client came. */
  begin(calls: DataOf<"session_state">["open_tool_calls"], asked: DataOf<"session_state">["open_confirmations"]): void {
    for (const { call_id, correlation_id = call_id, started_at } of calls) {
      this.#begin(call_id, correlation_id, Date.parse(started_at));
    }
    for (const { ask_id, call_id } of asked) this.#asked(ask_id, call_id);
  }

  /** To be called with every message of the session. */
  note(message: Message): void {
    const { type, data } = message;
    if (type === "tool_call_request") {
      this.#begin(data.call_id, message.correlation_id ?? data.call_id, Date.parse(message.timestamp));
    } else if (type === "tool_execution_status") this.#told(data.call_id);
    else if (type === "tool_call_response") this.#end(data.call_id);
    else if (type === "tool_call_confirmation") this.#asked(data.ask_id, data.call_id);
    else if (type === "status_update" && data.kind === "ask") this.#answered(data.ask_id);
    else if (type === "session_end") this.close();
    else if (type === "status_update" && data.kind === "gap") this.close(); // it may have ended among what is gone
  }

  close(): void {
    for (const [, call] of this.#open.takeAll()) call.callOff();
  }

  #begin(callId: string, correlationId: string, startedAt: number): void {
    const known = this.#open.get(callId);
    if (known) return; // it is told again, to the client that is to run it
    const call = { correlationId, startedAt, waitsForPerson: false, callOff: () => {} };
    const passed = Math.max(0, this.#options.clock.now() - startedAt);
    this.#open.set(callId, call);
    this.#after(callId, call, Math.max(LEAST_MS, FIRST_AFTER_MS - passed));
  }

  #after(callId: string, call: OpenCall, ms: number): void {
    call.callOff();
    call.callOff = this.#options.clock.after(ms, () => this.#due(callId, call), "in background");
  }

  #due(callId: string, call: OpenCall): void {
    if (this.#open.get(callId) !== call) return;
    this.#after(callId, call, EVERY_MS);
    if (call.waitsForPerson) return;
    const elapsed_ms = Math.max(0, this.#options.clock.now() - call.startedAt);
    this.#options.say({ call_id: callId, status: "in_progress", elapsed_ms }, call.correlationId);
  }

  #told(callId: string): void {
    const call = this.#open.get(callId);
    if (call) this.#after(callId, call, EVERY_MS);
  }

  #end(callId: string): void {
    this.#open.take(callId)?.callOff();
  }

  #asked(askId: string, callId: string): void {
    this.#callsOfAsks.set(askId, callId);
    const call = this.#open.get(callId);
    if (call) call.waitsForPerson = true;
  }

  #answered(askId: string): void {
    const call = this.#open.get(this.#callsOfAsks.take(askId) ?? "");
    if (call) call.waitsForPerson = false;
  }
}
