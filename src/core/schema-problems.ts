import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/** What is wrong is told up to here: a megabyte may be wrong in every place. */
const MOST_TOLD = 10;
/** Of a name that someone else chose. */
const LONGEST_NAME = 200;

/** What a schema has against a value, a plain line for each: `messageId: is no UUID`. */
export function schemaProblems({ issues }: { issues: readonly Issue[] }): string {
  return issues.slice(0, MOST_TOLD).map(problemLine).join("\n");
}

function problemLine(issue: Issue): string {
  const path = brief(issue.path.reduce<string>(extended, ""));
  return path === "" ? reasonOf(issue) : `${path}: ${reasonOf(issue)}`;
}

const extended = (path: string, key: PropertyKey) =>
  typeof key === "number" ? `${path}[${key}]` : `${path}${path === "" ? "" : "."}${String(key)}`;

const brief = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

const types: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  tuple: "a list",
};

const formats: Record<string, string> = {
  guid: "is no UUID",
  uuid: "is no UUID",
  url: "is no URL of the kind that is taken here",
  datetime: "is no ISO time",
};

function reasonOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeReason(issue.expected, issue.message);
    case "invalid_format":
      return formats[issue.format] ?? "is not of the form that it must have";
    case "invalid_value":
      return `must be ${alternatives(issue.values.map(quoted))}`;
    case "too_small":
      return amount(issue.origin, issue.inclusive ? "at least" : "more than", issue.minimum);
    case "too_big":
      return amount(issue.origin, issue.inclusive ? "at most" : "less than", issue.maximum);
    case "unrecognized_keys":
      return `must not have ${issue.keys.slice(0, MOST_TOLD).map(brief).join(", ")}`;
    case "invalid_key":
      return `such a key is not taken: ${issue.issues.map(reasonOf).join(", ")}`;
    case "invalid_union":
      return unionReason(issue);
    default:
      return issue.message;
  }
}

function typeReason(expected: string, message: string): string {
  const received = /received (\w+)$/.exec(message)?.[1];
  return received === "undefined" ? "is missing" : `must be ${types[expected] ?? expected}`;
}

function amount(origin: string, bound: string, limit: number | bigint): string {
  if (origin === "string") return limit === 1 ? "must not be empty" : `must have ${bound} ${limit} characters`;
  return origin === "array" ? `must have ${bound} ${limit} entries` : `must be ${bound} ${limit}`;
}

function unionReason(issue: z.core.$ZodIssueInvalidUnion): string {
  const reasons = issue.errors.flatMap((issues) => (issues[0] ? [problemLine(issues[0])] : []));
  if (reasons.length > 0) return alternatives([...new Set(reasons)]);
  const options = "options" in issue ? issue.options : undefined;
  return options ? `must be ${alternatives(options.map(quoted))}` : issue.message;
}

const quoted = (value: unknown) => (typeof value === "string" ? JSON.stringify(value) : String(value));

const alternatives = (words: string[]) => words.join(", ").replace(/, ([^,]*)$/, " or $1");
