import type * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import { type ParsedJson, type Path, type Place, parseJsonText, placeIn } from "./json-text.ts";
import { printable } from "./printable.ts";
import { configSchema, type DragomanConfig } from "./schema.ts";
import { readTextFile, type TextFileRules } from "./text-file.ts";

export const CONFIG_FILE = "dragoman.json";

const MAX_BYTES = 1_000_000;
/** More are not read by anyone, and each costs a look through the file. */
const MOST_TOLD = 20;

export interface Warning extends Place {
  file: string;
  message: string;
}

/** One `dragoman.json`, as it was on disk when its digest was taken. */
export interface ConfigFile {
  path: string;
  sha256: string;
  config: DragomanConfig;
  warnings: Warning[];
}

/** A project's file comes with the repo, so anyone may have written it; the user's is theirs alone. */
export async function readConfigFile(path: string, of: "project" | "user"): Promise<ConfigFile | undefined> {
  const rules: TextFileRules =
    of === "user"
      ? { maxBytes: MAX_BYTES, links: "follow", ownersOnly: true }
      : { maxBytes: MAX_BYTES, links: "refuse", ownersOnly: false };
  const file = await readTextFile(path, rules);
  if (!file) return undefined;
  const json = parsed(path, file.text);
  const { data, error } = configSchema.safeParse(json.value);
  if (error) throw broken(path, problemsOf(file.text, error));
  const unknown = [...json.dropped, ...leftOut(json.value, data)];
  const config = withoutDoubtfulRules(data, unknown);
  const warnings = unknown.slice(0, MOST_TOLD).map((key) => warningOf(path, file.text, key));
  return { path, sha256: file.sha256, config, warnings };
}

interface Problem extends Place {
  message: string;
}

function parsed(path: string, text: string): ParsedJson {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw broken(path, [{ ...(error.data as Place), message: `it is not valid JSON: ${error.message}` }]);
  }
}

function broken(path: string, problems: Problem[]): DragomanError {
  const file = printable(path);
  const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  return new DragomanError("precondition_failed", `${lines.join("\n")}\nMend the file, or take it away.`, {
    file: path,
    problems,
  });
}

function problemsOf(text: string, error: z.ZodError): Problem[] {
  return error.issues.slice(0, MOST_TOLD).map((issue) => {
    const path = issue.path as Path;
    const reason = reasonOf(issue);
    const message = path.length === 0 ? reason : `${dotted(path)}: ${reason}`;
    return { ...placeIn(text, path), message };
  });
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_key") return issue.issues.map((one) => one.message).join(", ");
  return issue.message.replace(/^Invalid input: expected (.*), received undefined$/, "is missing; expected $1");
}

function dotted(path: Path): string {
  const parts = path.map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${part}`));
  return printable(parts.join(""));
}

/** The keys that the schema has no use for. */
function leftOut(given: unknown, taken: unknown, path: Path = []): Path[] {
  if (typeof given !== "object" || given === null || typeof taken !== "object" || taken === null) return [];
  if (Array.isArray(given)) {
    return given.flatMap((one, index) => leftOut(one, (taken as unknown[])[index], [...path, index]));
  }
  return Object.entries(given).flatMap(([key, value]) => {
    const here = [...path, key];
    return Object.hasOwn(taken, key) ? leftOut(value, (taken as Record<string, unknown>)[key], here) : [here];
  });
}

const isRule = (path: Path) => path[0] === "policy" && path.length > 3;

/**
 * A rule with a key that nobody knows was meant to be narrower than it reads without that key. To deny more than was meant is
 * safe, to allow more is not: such an allow rule does not count.
 */
function withoutDoubtfulRules(config: DragomanConfig, unknown: Path[]): DragomanConfig {
  if (!config.policy) return config;
  const doubtful = new Set(unknown.filter((path) => isRule(path) && path[1] === "allow").map((path) => path[2]));
  const allow = config.policy.allow.filter((_, index) => !doubtful.has(index));
  return { ...config, policy: { ...config.policy, allow } };
}

function warningOf(file: string, text: string, key: Path): Warning {
  const place = placeIn(text, key);
  const message = `${dotted(key)} means nothing here`;
  if (!isRule(key)) return { file, ...place, message: `${message}, and is ignored.` };
  const effect = key[1] === "allow" ? "the rule does not count" : "the rule counts without it";
  return { file, ...place, message: `${message}, so ${effect}.` };
}
