import { readFileSync } from "node:fs";
import { join } from "node:path";

/** How an agent that speaks ACP is found, started and logged in to. Where an agent can be told to ask before it acts, it is. */
export interface AgentPreset {
  title: string;
  /** What npm calls it. */
  package: string;
  /** What its program is called; the first that is found is started. */
  executables: string[];
  args: string[];
  /** Set in its environment, whatever ours has. */
  env: Record<string, string>;
  /** Set besides where the folder is not trusted: what a repository brings along for the agent would be run. */
  untrustedEnv?: Record<string, string>;
  /** Said with its session there, for the same reason. */
  untrustedMeta?: Record<string, unknown>;
  /** What of a repository it would run without a question, and nothing keeps it from: with that it is started only where the folder is trusted. */
  runsUnasked?: string[];
  /** What it would run as well, were it not told to leave it alone there. */
  heldBack?: string[];
  /** What it gets of our environment although it may be secret. */
  passEnv: (string | RegExp)[];
  /** The mode in which it asks before it changes anything, where that is not the only one it starts in. */
  mode?: string;
  /** A failure of its model comes as a text of the answer. */
  textsAreErrors?: boolean;
  login: AgentLogin;
}

export interface AgentLogin {
  /** Each of them is enough. */
  variables: string[];
  /** Where it keeps that somebody has logged in. */
  files(home: string, env: NodeJS.ProcessEnv): string[];
  /** Whether a login may also be kept where only the agent looks, such as a keyring. */
  hidden: boolean;
  /** What logs in. */
  command: string;
}

/** Its own rules, and those of a repository, would let pass what ours are to judge. */
const OPENCODE_ASKS = { bash: "ask", edit: "ask", webfetch: "ask", websearch: "ask", external_directory: "ask" };

/** What a repository brings for Claude Code, and Copilot CLI takes for its own, too. */
const CLAUDE_FILES = [join(".claude", "settings.json"), join(".claude", "settings.local.json"), ".mcp.json"];

const githubTokens = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];

export const agentPresets: Record<string, AgentPreset> = {
  "copilot-cli": {
    title: "GitHub Copilot CLI",
    package: "@github/copilot",
    executables: ["copilot"],
    args: ["--acp", "--no-auto-update"],
    env: { COPILOT_AUTO_UPDATE: "false", COPILOT_ALLOW_ALL: "false" },
    // The hooks in any folder; the rest where the user has told Copilot to trust it, or one above it. The last is for its older versions.
    runsUnasked: [
      join(".github", "hooks"),
      join(".github", "copilot", "settings.json"),
      join(".github", "copilot", "settings.local.json"),
      join(".github", "extensions"),
      join(".github", "mcp.json"),
      join(".github", "lsp.json"),
      ...CLAUDE_FILES,
      join(".vscode", "mcp.json"),
    ],
    passEnv: [/^COPILOT_/, ...githubTokens, "GH_HOST"],
    mode: "agent",
    textsAreErrors: true,
    login: {
      variables: ["COPILOT_PROVIDER_BASE_URL", ...githubTokens],
      files: () => [],
      hidden: true,
      command: "copilot login",
    },
  },
  codex: {
    title: "Codex",
    package: "@agentclientprotocol/codex-acp",
    executables: ["codex-acp"],
    args: [],
    env: { NO_BROWSER: "1", INITIAL_AGENT_MODE: "read-only" },
    // It tells Codex to trust every folder, and Codex then starts the servers that are named there.
    runsUnasked: [".codex"],
    passEnv: [/^CODEX_/, "OPENAI_API_KEY", "OPENAI_BASE_URL", "MODEL_PROVIDER"],
    mode: "read-only",
    login: {
      variables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
      files: (home, env) => {
        const folder = env.CODEX_HOME || join(home, ".codex");
        const config = join(folder, "config.toml");
        return [join(folder, "auth.json"), ...(namesProvider(config) ? [config] : [])];
      },
      hidden: false,
      command: "codex-acp login",
    },
  },
  claude: {
    title: "Claude Code",
    package: "@agentclientprotocol/claude-agent-acp",
    executables: ["claude-agent-acp", "claude-code-acp"],
    args: [],
    // Without the second it would, for root in a sandbox, be started with the right to ask for nothing.
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", IS_SANDBOX: "" },
    // Or the hooks in a repository's `.claude` run without a question, and its rules allow what ours are to judge.
    untrustedMeta: { claudeCode: { options: { settingSources: ["user"] } } },
    heldBack: CLAUDE_FILES,
    passEnv: [/^ANTHROPIC_/, /^CLAUDE_/],
    mode: "default",
    login: {
      variables: [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_VERTEX",
      ],
      files: (home, env) => [join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), ".credentials.json")],
      hidden: process.platform === "darwin",
      command: "claude-agent-acp --cli auth login",
    },
  },
  gemini: {
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    executables: ["gemini"],
    args: ["--acp"],
    env: {},
    // By itself it asks nobody either where the user has turned its folder trust off, or has trusted a folder above.
    untrustedEnv: { GEMINI_CLI_TRUST_WORKSPACE: "false" },
    heldBack: [join(".gemini", "settings.json"), join(".gemini", ".env")],
    passEnv: [/^GEMINI_/, /^GOOGLE_/],
    mode: "default",
    login: {
      variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"],
      files: (home, env) => [join(env.GEMINI_CLI_HOME || home, ".gemini", "oauth_creds.json")],
      hidden: false,
      command: "gemini",
    },
  },
  opencode: {
    title: "opencode",
    package: "opencode-ai",
    executables: ["opencode"],
    args: ["acp"],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "true", OPENCODE_PERMISSION: JSON.stringify(OPENCODE_ASKS) },
    untrustedEnv: { OPENCODE_DISABLE_PROJECT_CONFIG: "true" },
    runsUnasked: [".opencode"], // the plugins in there, in spite of that
    heldBack: ["opencode.json", "opencode.jsonc"],
    passEnv: [/^OPENCODE_/, "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    login: {
      variables: [
        "OPENCODE_CONFIG_CONTENT",
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "GEMINI_API_KEY",
        "OPENROUTER_API_KEY",
      ],
      files: (home, env) => [join(env.XDG_DATA_HOME || join(home, ".local", "share"), "opencode", "auth.json")],
      hidden: false,
      command: "opencode auth login",
    },
  },
};

/** Whether Codex is to use a model of its user's own there, which needs no login. */
function namesProvider(config: string): boolean {
  try {
    return /^\s*model_provider\s*=/m.test(readFileSync(config, "utf8"));
  } catch {
    return false;
  }
}

export const installing = ({ package: name }: AgentPreset) => `npm install -g ${name}`;

/** What any agent might run that Dragoman does not know: it may be one of these under another name, or read what is meant for them. */
export const runByAny: readonly string[] = [
  ...new Set(
    Object.values(agentPresets).flatMap(({ runsUnasked = [], heldBack = [] }) => [...runsUnasked, ...heldBack]),
  ),
];
