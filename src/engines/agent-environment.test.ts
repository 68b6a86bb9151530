import { expect, test } from "vitest";
import { agentEnvironment } from "./agent-environment.ts";

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
