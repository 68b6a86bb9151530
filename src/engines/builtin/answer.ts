// How answers are written, in Markdown that a terminal shows well too.

const MOST_ITEMS = 50;

export function count(n: number, noun: string): string {
  return `${n} ${n === 1 ? noun : plural(noun)}`;
}

function plural(noun: string): string {
  if (/(?:ch|sh|s|x)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Inline code that may hold backticks itself. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (!line.includes("`")) return `\`${line}\``;
  return `\`\` ${line} \`\``;
}

export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.endsWith("\n") || text === "" ? text : `${text}\n`}${fence}`;
}

/** A list that says how much it leaves out. `more`: there are others that nobody counted. */
export function bulleted(items: string[], { most = MOST_ITEMS, more = false } = {}): string {
  const shown = items.slice(0, most).map((item) => `- ${item}`);
  const left = items.length - shown.length;
  if (left > 0) shown.push(`- ... and ${left}${more ? " or more" : ""} others`);
  else if (more) shown.push("- ... and others: this is where the tool stopped");
  return shown.join("\n");
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function bytes(n: number): string {
  if (n < 1024) return count(n, "byte");
  return n < 1024 ** 2 ? `${(n / 1024).toFixed(1)} KB` : `${(n / 1024 ** 2).toFixed(1)} MB`;
}

/** One short line of something longer. */
export function shortened(text: string, most = 60): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}

/** The last lines, and how many are left out before them. */
export function lastLines(text: string, most: number): { text: string; left: number } {
  const lines = text.replace(/\s+$/, "").split("\n");
  const left = Math.max(0, lines.length - most);
  return { text: lines.slice(left).join("\n"), left };
}

const LANGUAGES: Record<string, string> = {
  ts: "ts",
  tsx: "tsx",
  js: "js",
  mjs: "js",
  cjs: "js",
  jsx: "jsx",
  json: "json",
  md: "markdown",
  py: "python",
  rs: "rust",
  go: "go",
  css: "css",
  html: "html",
  yml: "yaml",
  yaml: "yaml",
  sh: "sh",
  toml: "toml",
  rb: "ruby",
  java: "java",
  c: "c",
  h: "c",
  cpp: "cpp",
  sql: "sql",
};

export function languageOf(path: string): string {
  return LANGUAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "";
}
