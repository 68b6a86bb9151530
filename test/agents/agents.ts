import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How an agent is made to use the stub for its model, and nothing of its user's. */
export interface TriedAgent {
  engine: string;
  env(stub: string, folder: string): Record<string, string>;
}

export const agents: TriedAgent[] = [
  {
    engine: "copilot",
    env: (stub, folder) => ({
      DRAGOMAN_COPILOT_BASE_URL: `${stub}/v1`,
      DRAGOMAN_COPILOT_MODEL: "stub-model",
      DRAGOMAN_COPILOT_HOME: made(folder, "copilot-home"),
    }),
  },
  {
    engine: "copilot-cli",
    env: (stub, folder) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_HOME: made(folder, "copilot"),
      COPILOT_PROVIDER_BASE_URL: `${stub}/v1`,
      COPILOT_MODEL: "stub-model",
    }),
  },
  {
    engine: "codex",
    env: (stub, folder) => {
      const home = made(folder, "codex");
      writeFileSync(join(home, "config.toml"), codexConfig(stub));
      return { CODEX_HOME: home };
    },
  },
  {
    engine: "claude",
    env: (stub, folder) => ({
      ANTHROPIC_BASE_URL: stub,
      ANTHROPIC_API_KEY: "stub",
      CLAUDE_CONFIG_DIR: made(folder, "claude"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
  {
    engine: "gemini",
    env: (stub, folder) => ({ GEMINI_API_KEY: "stub", GOOGLE_GEMINI_BASE_URL: stub, HOME: made(folder, "gemini") }),
  },
  {
    engine: "opencode",
    env: (stub, folder) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(stub)),
      XDG_CONFIG_HOME: made(folder, "opencode-config"),
      XDG_DATA_HOME: made(folder, "opencode-data"),
      XDG_STATE_HOME: made(folder, "opencode-state"),
    }),
  },
];

function made(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

const codexConfig = (stub: string) => `model = "stub-model"
model_provider = "stub"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "${stub}/v1"
wire_api = "responses"
requires_openai_auth = false

[features]
plugins = false
apps = false
remote_plugin = false
`;

const opencodeConfig = (stub: string) => ({
  provider: {
    stub: {
      npm: "@ai-sdk/openai-compatible",
      name: "Stub",
      options: { baseURL: `${stub}/v1`, apiKey: "stub" },
      models: { "stub-model": { name: "Stub" } },
    },
  },
  model: "stub/stub-model",
  permission: { bash: "ask", edit: "ask" },
  autoupdate: false,
});
