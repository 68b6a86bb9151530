import { commitTypes } from "../../tools/git-commit-message.ts";

/** The parts of a conventional commit. */
export interface CommitMessage {
  type: string;
  scope?: string;
  breaking?: true;
  description: string;
  body?: string;
}

/** `undefined` for a message of another form. */
export function parseCommitMessage(message: string): CommitMessage | undefined {
  const [subject = "", ...rest] = message.trim().split("\n");
  const [, type = "", scope, breaking, description = ""] =
    /^([a-z]+)(?:\(([^()\s][^()]*)\))?(!)?: +(\S.*)$/i.exec(subject.trim()) ?? [];
  if (!commitTypes.some((known) => known === type.toLowerCase())) return undefined;
  const body = rest.join("\n").trim();
  return {
    type: type.toLowerCase(),
    ...(scope === undefined ? {} : { scope }),
    ...(breaking === undefined ? {} : { breaking: true as const }),
    description: description.trim(),
    ...(body === "" ? {} : { body }),
  };
}

/** What the first word of a message says about the kind of change. */
const TYPE_OF: [type: string, words: RegExp][] = [
  ["docs", /^(?:document|docs?)\b|\b(?:readme|documentation|changelog|typos? in (?:the )?(?:docs|readme))\b/i],
  ["test", /^tests?\b|^(?:add|fix|extend|write|update) (?:\w+ )?tests?\b/i],
  ["fix", /^(?:fix|fixes|fixed|repair|correct|resolve|solve|prevent|handle|avoid|bugfix)\b/i],
  ["refactor", /^(?:refactor|rename|move|simplify|clean|extract|restructure|reorganize|split|remove unused)\b/i],
  ["perf", /^(?:speed|optimi[sz]e|make .+ faster|improve performance)\b/i],
  ["build", /^(?:bump|upgrade|pin)\b/i],
  ["feat", /^(?:add|adds|added|implement|introduce|support|create|allow|enable|new)\b/i],
];

/** What a message would be as a conventional commit. It is proposed, never used without a word. */
export function proposeCommitMessage(message: string): string {
  const words = message.trim().replace(/\s+/g, " ");
  // "feature: x", "Fix - x": nearly one.
  const [, said = "", rest = ""] = /^(\w+) ?[:–-] ?(.+)$/.exec(words) ?? [];
  const near = { feature: "feat", bugfix: "fix", bug: "fix", doc: "docs", tests: "test", documentation: "docs" }[
    said.toLowerCase()
  ];
  if (near) return `${near}: ${lowered(rest)}`;
  const type = TYPE_OF.find(([, pattern]) => pattern.test(words))?.[0] ?? "chore";
  return `${type}: ${lowered(words.replace(/[.!]$/, ""))}`;
}

/** A name such as README or AgentEvent keeps its letters. */
const lowered = (text: string) =>
  /^[A-Z][a-z]*(?: |$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** For a commit that nobody gave a message. */
export function messageForFiles(files: { path: string; status: string }[]): string {
  const [first] = files;
  const isNew = files.length > 0 && files.every(({ status }) => /untracked|added|new|\?|^A/i.test(status));
  const verb = isNew ? "add" : "update";
  const onlyDocs = files.length > 0 && files.every(({ path }) => /\.(?:md|mdx|rst|txt)$|^docs\//i.test(path));
  const onlyTests = files.length > 0 && files.every(({ path }) => /\.(?:test|spec)\.|(?:^|\/)tests?\//i.test(path));
  const what =
    files.length === 1 && first
      ? (first.path.split("/").findLast((name) => name !== "") ?? "")
      : `${files.length} files`;
  return `${onlyDocs ? "docs" : onlyTests ? "test" : "chore"}: ${verb} ${what}`;
}
