import { each, type Program, why } from "./command-line-program.ts";

/** A builtin that evaluates the name of a variable runs what stands in its index: `test -v 'a[$(id)]'`. */
const evaluatesNames = (...options: string[]): Program => ({
  check: (words) => (words.some((word) => options.includes(word)) ? "it evaluates the name of a variable" : undefined),
});

const changeTheShell = each(
  `export declare typeset readonly local alias unalias set shopt unset hash enable bind complete compgen compopt
  getopts read mapfile readarray let history fc pushd popd umask ulimit`,
  { always: why.changes },
);

/** What the shell does itself. */
export const builtins: [string, Program][] = [
  ...changeTheShell,
  ...each("source .", { always: why.code, runs: { how: "operands" } }),
  ...each("trap", { always: why.changes, runs: { how: "line" } }),
  ...each("eval", { always: why.code, runs: { how: "line" } }),
  ...each("command builtin", { always: why.command, runs: { how: "operands" } }),
  ...each("exec", { always: why.command, runs: { how: "operands", withValue: ["-a"] } }),
  ...each("test [", evaluatesNames("-v", "-R")),
  ...each("wait", evaluatesNames("-p")),
  ...each("printf", { opaqueOptions: ["-v"] }),
  ...each("cd", {
    check: (words) =>
      words.slice(1).some((word) => !word.startsWith("-")) ? undefined : "it goes to a folder that is not named",
  }),
];
