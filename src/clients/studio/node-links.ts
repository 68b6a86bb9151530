import type { CommandTarget } from "../runtime-child.ts";
import { spawned } from "../ui/spawn.ts";
import { allowedEnvironment, type EnvironmentOptions } from "./allowed-environment.ts";
import type { Connect } from "./link.ts";

// What a page cannot have, loaded only where it is asked for.

export type { CommandTarget } from "../runtime-child.ts";

/** A runtime that a host starts. It gets the variables that are named, and never all of this process's. */
export interface HostCommand extends Omit<CommandTarget, "env"> {
  env?: EnvironmentOptions;
}

/** A link to a runtime that is started for it, and that never outlives it. */
export const commandLink = (target: CommandTarget): Connect => spawned(target, "studio");

export const hostLink = (target: HostCommand): Connect => commandLink({ ...target, env: hostEnvironment(target) });

export function hostEnvironment(
  { command, env }: HostCommand,
  ours: { env: Record<string, string | undefined>; versions: object } = process,
): Record<string, string> {
  // The package's own runtime is started by the program that this process is, and Electron's would open the app once more.
  const isElectron = command === undefined && "electron" in ours.versions;
  return { ...allowedEnvironment(ours.env, env), ...(isElectron && { ELECTRON_RUN_AS_NODE: "1" }) };
}
