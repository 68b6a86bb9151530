import { commandMissing, ownCommand } from "../own-command.ts";
import { spawned } from "../ui/spawn.ts";
import type { Connect } from "./link.ts";

// What a page cannot have, loaded only where it is asked for.

export interface CommandTarget {
  /** The runtime to start; the package's own if it is left out. */
  command?: string;
  /** With no command: what comes after `stdio --dialect studio`. */
  args?: readonly string[];
  cwd?: string;
  /** The whole environment of the runtime; this process's if it is left out. */
  env?: Record<string, string | undefined>;
  /** How long `close()` waits for the runtime to finish by itself; 12 s. */
  closeMs?: number;
}

/** A link to a runtime that is started for it, and that never outlives it. */
export function commandLink({ command, args = [], ...about }: CommandTarget): Connect {
  if (command !== undefined) return spawned({ command, args, ...about });
  const script = ownCommand();
  if (script === undefined) throw new Error(commandMissing);
  return spawned({ command: process.execPath, args: [script, "stdio", "--dialect", "studio", ...args], ...about });
}
