import type { Configuration } from "../config/configuration.ts";
import type { Engine } from "../core/engine.ts";
import type { Store } from "../core/store.ts";
import type { AgentReport } from "../engines/agents/agent-reports.ts";
import type { Examination } from "../stores/sqlite-examine.ts";

/** Of what is configured as much as engines take. */
export type Configured = Pick<Configuration, "workspace" | "trust" | "copilot" | "modelEndpoint" | "agents">;

/** What the composition root gives to commands: the stores and engines that it chose, loaded when they are used. */
export interface Parts {
  version: string;
  /** Where the log is. */
  place(): string;
  openStore(): Promise<Store>;
  /** Looks at the log without changing it, and at who writes to it at a moment. */
  examine(): Promise<{ examination: Examination; writer(): number | undefined }>;
  /** All that can work in a folder, by its configuration, which is read if it is not given. */
  engines(workspace: string, configuration?: Configured): Promise<Engine[]>;
  /** Why an engine that is known cannot work, and how to get it. */
  missing(engine: string, workspace: string, configuration?: Configured): Promise<string | undefined>;
  /** What there is to know of agents in a folder, whether they are there or not. */
  agents(configuration: Configured): Promise<AgentReport[]>;
  /** An engine that plays a recording, and the prompt that was recorded. */
  recorded(text: string, speed: "full" | "recorded"): Promise<{ engine: Engine; prompt: string }>;
}
