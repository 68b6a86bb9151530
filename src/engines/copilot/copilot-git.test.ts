import { execFileSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allowing, copilotWorld } from "../../testing/copilot-world.ts";

const world = copilotWorld();

/** A clone that would have git run something of its own, whoever calls it. */
function clone() {
  const workspace = world.newWorkspace().files({ "a.txt": "a" });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace.path });
  git("init", "--quiet");
  git("add", "a.txt");
  git("config", "alias.greet", `!touch '${join(workspace.path, "by-alias")}'`);
  const hook = join(workspace.path, ".git", "hooks", "pre-commit");
  workspace.files({ ".git/hooks/pre-commit": `#!/bin/sh\ntouch '${join(workspace.path, "by-hook")}'\n` });
  chmodSync(hook, 0o755);
  return workspace;
}

test.each([
  ["does not run what it brings, where nobody trusts the folder", undefined, []],
  ["is as ever, where the folder is trusted", true, ["by-alias", "by-hook"]],
] as const)("git in a clone %s", async (_, trusted, ran) => {
  const workspace = clone();
  const { run } = await world.session({ engine: world.engine({ trusted }), workspace, ruleBook: allowing("shell") });
  const told = await run("[[run git greet; git -c user.name=me -c user.email=me@localhost commit -m Begin]]");
  expect(told.of("tool.finished")).toMatchObject([{ result: { text: expect.stringContaining("Begin") } }]);
  expect(["by-alias", "by-hook"].filter((name) => existsSync(join(workspace.path, name)))).toEqual(ran);
});
