import { builders } from "./command-line-builders.ts";
import { builtins } from "./command-line-builtins.ts";
import { gitSubcommands } from "./command-line-git.ts";
import { interpreters } from "./command-line-interpreters.ts";
import { each, type Program } from "./command-line-program.ts";
import { runners } from "./command-line-runners.ts";
import { writers } from "./command-line-writers.ts";

const git: Program = {
  subcommands: gitSubcommands,
  knownLeadingOptions: ["--no-pager", "--version", "--literal-pathspecs", "--no-optional-locks"],
  leadingWithValue: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"],
  aloneWith: ["--version"],
  runs: { how: "after", options: ["run", "foreach", "-x", "--exec"], until: [] },
};

/** What is known of programs, by their names. */
export const programs: ReadonlyMap<string, Program> = new Map([
  ...builtins,
  ...runners,
  ...interpreters,
  ...builders,
  ...writers,
  ...each("git", git),
]);
