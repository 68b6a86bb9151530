import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../../tools/real-path.ts";
import type { Surroundings } from "./find-agents.ts";

/** All there is of these in the folder and above it, where agents look, too. The user's own folder is not above anything: it is theirs. */
export function broughtAlong(names: readonly string[], { workspace, home }: Surroundings): string[] {
  const own = existsSync(home) ? realpathSync(home) : home;
  const found: string[] = [];
  for (let folder = workspace; !isWithin(folder, own) && folder !== dirname(folder); folder = dirname(folder)) {
    found.push(...names.map((name) => join(folder, name)).filter((path) => existsSync(path)));
  }
  return found;
}
