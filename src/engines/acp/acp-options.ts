import type { Clock } from "../../core/clock.ts";
import type { PassedVariable } from "../agent-environment.ts";

export interface AcpOptions {
  /** The engine's name. */
  name: string;
  /** What the agent is to a person. */
  title?: string;
  command: { file: string; args: string[] };
  env?: Record<string, string>;
  /** What it gets to see of our own environment on top of what every command does. */
  passEnv?: readonly PassedVariable[];
  /** Whether somebody trusts the folders that it works in. Where nobody does, git obeys no program that a repository names. */
  trusted?: boolean;
  /** One of the agent's own modes, by its id, its name, or what follows the # in its id. */
  mode?: string;
  model?: string;
  /** What to do where the program is not there. */
  howToInstall?: string;
  /** The command for that, where the agent wants it. */
  howToLogIn?: string;
  /** It says what went wrong as text of its answer ("Error: 400 ...") and what it does meanwhile, too ("Info: ..."), as Copilot CLI does. */
  textsAreErrors?: boolean;
  /** Said to it with every session that it opens (`_meta`). */
  sessionMeta?: Record<string, unknown>;
  clock?: Clock;
  /** How long an agent is kept that nobody uses. */
  idleMs?: number;
}
