import { each, type Program, why } from "./command-line-program.ts";

const plain: Program = {};

const python = [
  "-u",
  "-B",
  "-O",
  "-OO",
  "-s",
  "-E",
  "-I",
  "-P",
  "-b",
  "-q",
  "-v",
  "-m",
  "-V",
  "--version",
  "-h",
  "--help",
];
const node = [
  "--test",
  "--check",
  "-c",
  "--no-warnings",
  "--trace-warnings",
  "--enable-source-maps",
  "--expose-gc",
  "--version",
  "-v",
  "--help",
  "-h",
];

/** Modules that are given code, as `-c` is. */
const takesCode = (module: string) => ["timeit", "pdb", "code", "asyncio", "sqlite3", "trace"].includes(module);

/** Programs that run a file, or what they are given. */
export const interpreters: [string, Program][] = [
  ...each("python pypy", {
    knownLeadingOptions: python,
    aloneWith: ["-V", "--version", "-h", "--help"],
    check: (words) => (words.some((word, at) => words[at - 1] === "-m" && takesCode(word)) ? why.code : undefined),
  }),
  ...each("node nodejs tsx", { knownLeadingOptions: node, aloneWith: ["--test", "--version", "-v", "--help", "-h"] }),
  ...each("perl ruby php lua", { knownLeadingOptions: ["-w", "-v", "--version"], aloneWith: ["-v", "--version"] }),
  ...each("deno", {
    subcommands: new Map(each("test lint fmt check doc info", plain)),
    knownLeadingOptions: ["--version"],
  }),
  ...each(
    "awk gawk mawk nawk osascript expect tclsh wish irb pry ghci julia r rscript groovy jshell scala guile racket sbcl gdb lldb",
    { always: why.code },
  ),
  ...each("sqlite psql mysql mariadb mongosh redis-cli ftp sftp telnet nc ncat netcat socat", { always: why.program }),
  ...each("vi vim nvim view ex ed nano pico emacs less more most man info top htop tmux screen pg lynx w3m", {
    always: why.program,
  }),
];
