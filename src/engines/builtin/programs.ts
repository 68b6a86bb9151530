import { shellWord } from "./paths.ts";

// Names of programs that people run in projects. A word that is none of them is still run when it is quoted or called a command.
const PROGRAMS = new Set(
  (
    "npm npx pnpm yarn bun bunx deno node tsx tsc ts-node vite vitest jest mocha eslint prettier biome turbo nx lerna " +
    "python python3 pip pip3 pipx pytest tox uv poetry ruff black mypy flake8 django-admin flask uvicorn " +
    "cargo rustc rustup go gofmt golangci-lint java javac mvn gradle ./gradlew gradlew kotlinc dotnet swift swiftc " +
    "ruby bundle rake rails gem php composer perl lua elixir mix ghc cabal stack zig gcc g++ clang cmake ninja make just " +
    "git gh hg svn docker docker-compose podman kubectl helm terraform ansible aws gcloud az dragoman " +
    "ls pwd cat head tail less wc grep rg ag find fd sed awk sort uniq cut tr tee xargs diff patch file stat du df tree " +
    "cp mv rm mkdir rmdir touch ln chmod chown tar zip unzip gzip curl wget ssh scp rsync ping " +
    "ps top kill lsof env printenv export which whoami hostname uname date cal echo printf true false sleep time watch " +
    "bash sh zsh fish source cd pushd popd test seq yes jq yq sqlite3 psql mysql redis-cli openssl base64 md5sum sha256sum"
  ).split(" "),
);

/** These are words of English as well, or of our own grammar: alone at the beginning of a sentence they are no command. */
const WORDS = new Set(
  (
    "go make just test find sort cut file head tail less more watch time date yes true false source kill which cat touch " +
    "top file patch diff tree grep rg fish echo sleep stack swift ping black flask rake mix uv gem composer export cd"
  ).split(" "),
);
const SURE_AFTER: Record<string, RegExp> = {
  go: /^(?:test|build|run|vet|fmt|mod|generate|install|get|tool|work|version|env)\b/,
  make: /^(?:(?:all|tests?|check|clean|build|install|lint|format|fmt|run|dev|start|serve|docs?|dist|release|deploy|help|coverage)(?: |$))*$/,
  find: /^[./]\S* +-/,
  echo: /^["'$\uE000]|^\S+$/,
  sleep: /^[\d.]+[smh]?$/,
  cd: /^\S+ *&&/,
};

/** The line begins with a program, a path to one, or an assignment before one. */
export function isProgram(line: string): boolean {
  const words = line.replace(/^(?:[A-Za-z_]\w*=\S* +){1,5}/, "").replace(/^(?:sudo|time|env|exec|nohup) +/, "");
  const [first = "", second = ""] = words.split(/\s+/, 2);
  if (/^(?:\.{1,2}|~)?\/[\w@./-]+$/.test(first)) return true;
  if (!PROGRAMS.has(first)) return false;
  // "run test cases", "run time is long", "run find and replace"
  return !(
    WORDS.has(first) &&
    first !== "echo" &&
    /^(?:and|or|is|are|was|of|the|a|an|to|for|it|this|that|cases?)$/i.test(second)
  );
}

/** Nobody means anything but a command by it, even without "run". */
export function isUnmistakable(line: string): boolean {
  const [first = ""] = line.split(/\s+/, 1);
  if (!PROGRAMS.has(first) && !/^\.\/[\w./-]+$/.test(first)) return false;
  const rest = line.slice(first.length).trim();
  const sure = SURE_AFTER[first];
  // A flag, a pipe or a redirection is in no sentence.
  if (/^-\w| (?:\||&&|>>?) \S/.test(rest)) return true;
  if (sure) return sure.test(rest);
  if (WORDS.has(first)) return false;
  return !/^(?:is|are|was|does|and|or|vs)\b/i.test(rest) && !/\?$/.test(line);
}

const RUNNERS: Record<string, string> = {
  js: "node",
  mjs: "node",
  cjs: "node",
  ts: "npx tsx",
  py: "python3",
  sh: "sh",
  bash: "bash",
  rb: "ruby",
  go: "go run",
  php: "php",
  pl: "perl",
};

/** The command for "run script.py": a file alone, of a kind that something runs. */
export function runFile(line: string): string | undefined {
  const [, path, ending = ""] = /^(?:file |script )?([\w@./~ -]*\.([a-z]{2,4}))$/i.exec(line) ?? [];
  const runner = RUNNERS[ending.toLowerCase()];
  if (path === undefined || runner === undefined || /\s/.test(path) || path.startsWith("-")) return undefined;
  return `${runner} ${shellWord(path)}`;
}
