import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../../tools/real-path.ts";
import type { Surroundings } from "./find-agents.ts";

/** What there is of these in the folder or above it, where agents look, too. The user's own folder is not above anything: it is theirs. */
export function broughtAlong(names: readonly string[], { workspace, home }: Surroundings): string | undefined {
  const own = existsSync(home) ? realpathSync(home) : home;
  for (let folder = workspace; !isWithin(folder, own) && folder !== dirname(folder); folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
  }
  return undefined;
}
