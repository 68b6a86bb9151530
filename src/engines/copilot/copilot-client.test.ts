import { afterEach, describe, expect, test, vi } from "vitest";
import { unsupervised } from "../../tools/process-run.ts";
import { connectCopilot, runtimeEnvironment } from "./copilot-client.ts";

afterEach(() => vi.unstubAllEnvs());

const ours = {
  PATH: "/usr/bin",
  HOME: "/home/me",
  GH_TOKEN: "token",
  GITHUB_TOKEN: "secret",
  OPENAI_API_KEY: "secret",
  DRAGOMAN_COPILOT_API_KEY: "secret",
  COPILOT_ALLOW_ALL: "true",
  COPILOT_MODEL: "other",
  COPILOT_HOME: "/home/me/copilot",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://elsewhere",
};

describe("the runtime's environment", () => {
  const always = { COPILOT_AUTO_UPDATE: "false", COPILOT_DISABLE_LOGIN_SHELL_ENV: "1" };

  test("has what it needs to find the user's login, and none of what would make it ask nobody", () => {
    const env = runtimeEnvironment({}, ours);
    expect(env).toMatchObject({ ...always, HOME: "/home/me", COPILOT_HOME: "/home/me/copilot" });
    expect(Object.entries(env).filter(([, value]) => ["token", "secret"].includes(value))).toEqual([
      ["COPILOT_GITHUB_TOKEN", "token"],
    ]);
    const others = ["COPILOT_ALLOW_ALL", "COPILOT_MODEL", "OTEL_EXPORTER_OTLP_ENDPOINT"];
    expect(Object.keys(env).filter((name) => others.includes(name))).toEqual([]);
  });

  test.each([{ provider: { baseUrl: "http://127.0.0.1:1" } }, { useLogin: false }])(
    "has no token of GitHub's where that is not used (%j)",
    (options) => {
      const env = runtimeEnvironment({ ...options, home: "/elsewhere", env: { MINE: "1" } }, ours);
      expect(env).toMatchObject({ ...always, COPILOT_HOME: "/elsewhere", MINE: "1" });
      expect(env).not.toHaveProperty("COPILOT_GITHUB_TOKEN");
      expect(Object.values(env).filter((value) => ["token", "secret"].includes(value))).toEqual([]);
    },
  );
});

test("a runtime that ends at once, or is not there, is not available", async () => {
  vi.stubEnv("COPILOT_CLI_PATH", "/bin/false");
  const connecting = () => connectCopilot({ useLogin: false }, process.cwd(), unsupervised);
  await expect(connecting()).rejects.toMatchObject({
    code: "engine_unavailable",
    message: "Copilot's runtime (/bin/false) could not be started: it ended at once.",
  });
  vi.stubEnv("COPILOT_CLI_PATH", "/nowhere/copilot");
  await expect(connecting()).rejects.toMatchObject({
    code: "engine_unavailable",
    message: expect.stringContaining("/nowhere/copilot could not be started"),
  });
});
