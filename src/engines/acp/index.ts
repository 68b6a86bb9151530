import type { Engine } from "../../core/engine.ts";
import type { AcpOptions } from "./acp-options.ts";
import { AcpAgents } from "./agents.ts";

export type { AcpOptions } from "./acp-options.ts";

/** Any agent that speaks the Agent Client Protocol on its stdin and stdout. It works with its own tools, and asks us before it does. */
export function acpEngine(options: AcpOptions): Engine {
  const agents = new AcpAgents(options);
  return {
    name: options.name,
    models: async () => agents.models,
    run: (turn, io, signal) => agents.run(turn, io, signal),
    leave: (sessionId) => agents.leave(sessionId),
  };
}
