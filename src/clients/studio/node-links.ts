import type { CommandTarget } from "../runtime-child.ts";
import { spawned } from "../ui/spawn.ts";
import type { Connect } from "./link.ts";

// What a page cannot have, loaded only where it is asked for.

export type { CommandTarget } from "../runtime-child.ts";

/** A link to a runtime that is started for it, and that never outlives it. */
export const commandLink = (target: CommandTarget): Connect => spawned(target, "studio");
