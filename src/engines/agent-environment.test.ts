import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { agentEnvironment, gitSafeguards } from "./agent-environment.ts";

const newWorkspace = temporaryWorkspaces();

test("an agent gets its own keys, what every command gets, and nobody else's secrets", () => {
  const env = {
    PATH: "/usr/bin:relative/bin",
    LANG: "en",
    OPENAI_API_KEY: "its own",
    CODEX_HOME: "/c",
    GITHUB_TOKEN: "another's",
    DRAGOMAN_TOKEN: "ours",
    BASH_ENV: "/tmp/evil",
  };
  const given = agentEnvironment(["OPENAI_API_KEY", /^CODEX_/], { EXTRA: "1" }, env);
  expect(given).toMatchObject({
    PATH: "/usr/bin",
    LANG: "en",
    OPENAI_API_KEY: "its own",
    CODEX_HOME: "/c",
    EXTRA: "1",
  });
  expect([given.GITHUB_TOKEN, given.DRAGOMAN_TOKEN, given.BASH_ENV]).toEqual([undefined, undefined, undefined]);
});

test("git in a folder that nobody trusts gets to know what to do in place of what its configuration says", async () => {
  const { path } = newWorkspace();
  execFileSync("git", ["init", "--quiet"], { cwd: path });
  execFileSync("git", ["config", "alias.st", "!make"], { cwd: path });
  const env = await gitSafeguards(path);
  const settings = Array.from({ length: Number(env.GIT_CONFIG_COUNT) }, (_, at) => [
    env[`GIT_CONFIG_KEY_${at}`],
    env[`GIT_CONFIG_VALUE_${at}`],
  ]);
  expect(settings).toEqual(
    expect.arrayContaining([
      ["core.hooksPath", "/dev/null"],
      ["alias.st", ""],
    ]),
  );
});

test("where there is no repository, git gets to know what holds everywhere", async () => {
  expect(await gitSafeguards(newWorkspace().path)).toMatchObject({ GIT_CONFIG_KEY_0: "core.hooksPath" });
});
