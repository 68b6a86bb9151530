import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { TemporaryFolder } from "./temporary-folder.ts";

/** Someone to commit as, in place of whoever the tests run for; while the tests of the file that asks for it run. */
export function gitIdentity(folder: TemporaryFolder): void {
  const before = process.env.GIT_CONFIG_GLOBAL;
  beforeAll(() => {
    const config = join(folder.path, "gitconfig");
    writeFileSync(config, "[user]\n\tname = A B\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n");
    process.env.GIT_CONFIG_GLOBAL = config;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.GIT_CONFIG_GLOBAL;
    else process.env.GIT_CONFIG_GLOBAL = before;
  });
}
