import { each, type Program, why } from "./command-line-program.ts";

const npmCommands = `test t tst run run-script start stop restart install i ci add ls list la ll outdated view info show audit
  pack version why explain fund ping whoami root bin search uninstall rm update dedupe prune rebuild publish`;
const npmOptions =
  `-s --silent -w --workspace --workspaces -ws --if-present --omit --include --save-dev -D --save -S --save-exact
  -E --json --depth --all --production --prefer-offline --offline --no-audit --no-fund --ignore-scripts --legacy-peer-deps
  --include-workspace-root --dry-run --long --parseable`.split(/\s+/);
const otherManager: Program = {
  opaqueOptions: [
    "-c",
    "-e",
    "-p",
    "-r",
    "--eval",
    "--print",
    "--preload",
    "--shell-mode",
    "--script-shell",
    "-C",
    "--dir",
    "--prefix",
    "--cwd",
    "--config",
  ],
  check: ([, ...rest]) => {
    const runsOthers = [
      "exec",
      "dlx",
      "x",
      "node",
      "create",
      "init",
      "config",
      "set",
      "env",
      "link",
      "plugin",
      "patch",
    ];
    return rest.some((word) => runsOthers.includes(word)) ? why.subcommand : undefined;
  },
  runs: { how: "subcommand", names: ["exec", "dlx", "x"] },
};

/** Programs that fetch, build and run packages. */
export const builders: [string, Program][] = [
  ...each("npm", {
    subcommands: new Map(each(npmCommands, { knownOptions: npmOptions })),
    knownLeadingOptions: [...npmOptions, "--version", "-v"],
    leadingWithValue: ["--prefix", "-C", "-w", "--workspace", "--loglevel", "--userconfig", "--registry"],
    aloneWith: ["--version", "-v"],
    runs: { how: "subcommand", names: ["exec", "x"] },
  }),
  ...each("pnpm yarn bun corepack", otherManager),
  ...each("uv poetry pipenv bundle rbenv pyenv mise asdf direnv nix", {
    check: ([, first]) => (["run", "exec", "shell", "develop", "tool"].includes(first ?? "") ? why.command : undefined),
    runs: { how: "subcommand", names: ["run", "exec", "shell", "develop"] },
  }),
  ...each("make gmake", {
    opaqueOptions: [
      "-f",
      "--file",
      "--makefile",
      "--eval",
      "-E",
      "-C",
      "--directory",
      "-I",
      "--include-dir",
      "-e",
      "--environment-overrides",
    ],
    // Also `x := $(shell id)`, and behind `--` a name that begins with a dash.
    check: (words) =>
      words.some((word) => word.includes("=") && !/^--[a-z-]+=/.test(word))
        ? "it sets variables that can hold commands"
        : undefined,
  }),
  ...each("cargo go", {
    opaqueOptions: ["--config", "-exec", "-toolexec", "-vettool", "-o", "-C", "-ldflags", "-overlay", "-modfile"],
  }),
  ...each("gcc cc clang g++ clang++ ld", { opaqueOptions: ["-wrapper", "-B", "-fplugin", "-specs"] }),
];
