import { homedir } from "node:os";
import { join } from "node:path";
import type { ResumeSessionConfig } from "@github/copilot-sdk";
import type { CopilotOptions } from "./copilot-options.ts";

type Config = Required<Pick<ResumeSessionConfig, "onEvent" | "onPermissionRequest" | "onUserInputRequest">> &
  ResumeSessionConfig;

export interface SessionPlan {
  id: string;
  workspace: string;
  model?: string;
  /** Who hears of what happens in it, and answers what it asks. */
  handlers: Pick<Config, "onEvent" | "onPermissionRequest" | "onUserInputRequest" | "onExitPlanModeRequest">;
  tools: Pick<Config, "tools" | "excludedTools">;
}

/**
 * What a session of Copilot is made and resumed with.
 *
 * By itself Copilot runs the hooks that it finds in a folder before anyone was asked, and reads its skills, agents and MCP servers. The
 * folder may be anyone's, so nothing of it is run or loaded here but the plain words of its instruction files, which a model reads like
 * any other file. What the user has set up in their own Copilot, outside of the folder, is theirs and stays.
 *
 * It writes nothing down but its own conversation: neither for other sessions, nor at GitHub.
 */
export function sessionConfig(options: CopilotOptions, plan: SessionPlan): Config {
  return {
    clientName: "dragoman",
    model: plan.model,
    provider: options.provider,
    workingDirectory: plan.workspace,
    streaming: true,
    includeSubAgentStreamingEvents: false, // what they say in the end is enough
    ...plan.handlers,
    ...plan.tools,
    enableConfigDiscovery: false,
    enableFileHooks: false,
    enableSkills: false,
    customAgentsLocalOnly: true,
    enableSessionStore: false,
    memory: { enabled: false },
    manageScheduleEnabled: false,
    enableSessionTelemetry: false,
    remoteSession: "off",
    // Where it may read it again without a question.
    largeOutput: { outputDirectory: join(stateFolder(options, plan.id), "files") },
  };
}

/** Where Copilot keeps what belongs to a session. */
export function stateFolder({ home, env }: CopilotOptions, id: string): string {
  const copilotHome = env?.COPILOT_HOME ?? home ?? process.env.COPILOT_HOME ?? join(homedir(), ".copilot");
  return join(copilotHome, "session-state", id);
}
