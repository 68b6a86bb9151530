import type { Clock } from "../../core/clock.ts";

/** Models of one's own in place of GitHub's. */
export interface CopilotProvider {
  baseUrl: string;
  type?: "openai" | "azure" | "anthropic";
  wireApi?: "completions" | "responses";
  apiKey?: string;
}

export interface CopilotOptions {
  /** Where Copilot keeps its sessions and settings; the user's own folder, if not said. */
  home?: string;
  provider?: CopilotProvider;
  /** For runs that do not say which. */
  model?: string;
  /** What the provider has; it is asked, if not said. */
  models?: string[];
  /** Whether the user's login at GitHub may be used, where there is no provider. It may, if not said. */
  useLogin?: boolean;
  /** For Copilot and its tools, on top of what every agent gets. */
  env?: Record<string, string>;
  /** Whether the folder's own configuration may make git run something. It may not, if not said. */
  trusted?: boolean;
  clock?: Clock;
  /** How long a runtime that is not used is kept. */
  idleMs?: number;
}

export const usesLogin = ({ provider, useLogin = true }: CopilotOptions): boolean => !provider && useLogin;
