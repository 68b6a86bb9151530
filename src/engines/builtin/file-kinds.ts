/** Kinds of files as people name them, and the patterns of their names. */
const KINDS: [names: string, title: string, patterns: string][] = [
  ["typescript|ts|.ts", "TypeScript files", "*.ts *.tsx *.mts *.cts"],
  ["tsx|.tsx", "TSX files", "*.tsx"],
  ["javascript|js|.js", "JavaScript files", "*.js *.jsx *.mjs *.cjs"],
  ["jsx|.jsx", "JSX files", "*.jsx"],
  ["python|py|.py", "Python files", "*.py *.pyi"],
  ["go|golang|.go", "Go files", "*.go"],
  ["rust|rs|.rs", "Rust files", "*.rs"],
  ["java|.java", "Java files", "*.java"],
  ["kotlin|kt", "Kotlin files", "*.kt *.kts"],
  ["swift", "Swift files", "*.swift"],
  ["ruby|rb", "Ruby files", "*.rb"],
  ["php", "PHP files", "*.php"],
  ["c#|csharp|cs", "C# files", "*.cs"],
  ["c++|cpp|cxx", "C++ files", "*.cpp *.cc *.cxx *.hpp *.hh *.hxx"],
  ["c", "C files", "*.c *.h"],
  ["shell|bash|sh", "shell scripts", "*.sh *.bash *.zsh"],
  ["sql", "SQL files", "*.sql"],
  ["markdown|md|.md", "Markdown files", "*.md *.mdx *.markdown"],
  ["documentation|docs|doc", "documents", "*.md *.mdx *.rst *.adoc *.txt"],
  ["text|txt|.txt", "text files", "*.txt"],
  ["json|.json", "JSON files", "*.json *.jsonc *.json5"],
  ["yaml|yml|.yaml|.yml", "YAML files", "*.yaml *.yml"],
  ["toml|.toml", "TOML files", "*.toml"],
  ["xml", "XML files", "*.xml"],
  ["csv", "CSV files", "*.csv"],
  ["log", "log files", "*.log"],
  ["css|.css|style|stylesheet|styles", "stylesheets", "*.css *.scss *.sass *.less"],
  ["html|htm|.html", "HTML files", "*.html *.htm"],
  ["vue", "Vue files", "*.vue"],
  ["svelte", "Svelte files", "*.svelte"],
  [
    "test|tests|spec|specs|unit test",
    "test files",
    "*.test.* *.spec.* test_*.py *_test.py *_test.go *_test.rs *Test.java *_spec.rb",
  ],
  ["image|images|picture|photo|icon", "images", "*.png *.jpg *.jpeg *.gif *.svg *.webp *.ico *.bmp *.avif"],
  ["config|configuration|settings", "configuration files", "*.config.* *.toml *.ini *.cfg *.conf .*rc tsconfig*.json"],
];

/** These name files by themselves: "list the tests". */
const NOUNS =
  /^(?:tests?|specs?|images?|pictures?|photos?|icons?|docs|documents?|documentation|stylesheets?|configs?)$/i;

export interface FileKind {
  title: string;
  glob: string;
}

const MOST_KINDS = 8;

function namedKind(name: string): (typeof KINDS)[number] | undefined {
  const named = (word: string) => KINDS.find(([names]) => names.split("|").includes(word));
  return named(name) ?? (name.length > 4 ? named(name.replace(/s$/, "")) : undefined);
}

function fileKind(name: string): FileKind | undefined {
  const wanted = name.toLowerCase().replace(/^\*(?=\.)/, "");
  if (/[*?]/.test(name)) return { title: `files that match ${name}`, glob: anywhere(name) };
  const found = namedKind(wanted);
  if (found) return { title: found[1], glob: anyOf(found[2].split(" ")) };
  if (/^\.[a-z0-9]{1,8}$/.test(wanted)) return { title: `${wanted} files`, glob: `**/*${wanted}` };
  return undefined;
}

/** One flat choice: braces in braces are not matched by everyone. */
function anyOf(patterns: string[]): string {
  const [first = ""] = patterns;
  if (patterns.length === 1) return `**/${first}`;
  const endings = patterns.map((pattern) => /^\*\.(\w+)$/.exec(pattern)?.[1]);
  return endings.includes(undefined) ? `**/{${patterns.join(",")}}` : `**/*.{${endings.join(",")}}`;
}

/** Several kinds, as in "TypeScript, CSS and HTML"; all of them have to be known. */
export function fileKinds(names: string): FileKind | undefined {
  const said = names.split(/, and |, | and | or /i).map((name) => name.trim());
  const [first] = said;
  if (first !== undefined && said.length === 1) return fileKind(first);
  const kinds = said
    .slice(0, MOST_KINDS)
    .map((name) => namedKind(name.toLowerCase()))
    .filter((kind) => kind !== undefined);
  if (kinds.length < said.length) return undefined;
  const titles = kinds.map(([, title]) => title);
  return {
    title: `${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}`,
    glob: anyOf(kinds.flatMap(([, , patterns]) => patterns.split(" "))),
  };
}

export const isFileNoun = (name: string) => NOUNS.test(name);

/** A pattern without a folder means files of that name in any. */
export function anywhere(pattern: string): string {
  return pattern.includes("/") ? pattern.replace(/^\.\//, "") : `**/${pattern}`;
}
