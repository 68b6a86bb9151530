import type { AgentCall, Emitted, EngineIO, Permission } from "../core/engine.ts";
import { unsupervised } from "../tools/process-run.ts";
import { emptyLog } from "./empty-log.ts";

/** What an engine says, asks and keeps, for tests that need no session. */
export class AcpIo implements EngineIO {
  readonly said: Emitted[] = [];
  readonly asked: AgentCall[] = [];
  readonly kept: string[] = [];
  readonly #permission: Permission;
  readonly supervise = unsupervised;
  readonly log = emptyLog;

  constructor(permission: Permission = { allowed: true }) {
    this.#permission = permission;
  }

  async emit(event: Emitted): Promise<void> {
    this.said.push(event);
  }

  async permit(call: AgentCall): Promise<Permission> {
    this.asked.push(call);
    return this.#permission;
  }

  keep(agentSession: string): void {
    this.kept.push(agentSession);
  }

  ask = () => Promise.reject(new Error("nobody asks here"));
  tool = () => Promise.reject(new Error("there are no tools here"));
  offeredTools = () => [];
  onKill = () => () => {};
}

/** The answer as it was told, its pieces joined. */
export function answerIn(said: readonly { type: string }[]): string {
  return said.map((event) => (event.type === "text.delta" && "text" in event ? event.text : "")).join("");
}
