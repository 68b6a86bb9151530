import { plainText } from "../../core/plain-text.ts";
import { shortened } from "../columns.ts";

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** In a list a session is named by so much of its id. */
export const shortId = (sessionId: string) => sessionId.slice(0, 8);

const reasons: Record<string, string> = {
  owner_stopped: "its process was stopped",
  session_closed: "the session was closed",
};

/** Why a run was cancelled, where the log says it with a word for programs. */
export const reasonText = (reason: string) => reasons[reason] ?? reason;

const LONGEST_PREVIEW = 500;
const LONGEST_VALUE = 60;

/** The arguments of a call in one line; under a title, what that does not say already. All of them are in a question about it. */
export function argsPreview(args: unknown, title?: string): string {
  if (args === undefined || args === null) return "";
  if (typeof args === "string") return oneLine(args);
  if (title === undefined || typeof args !== "object" || Array.isArray(args)) return oneLine(shortened(args));
  const telling = Object.entries(args).filter(([, value]) => isTelling(value, title));
  return telling.length === 0 ? "" : oneLine(shortened(Object.fromEntries(telling)));
}

/** Limits, and what was not asked for, tell nothing. */
function isTelling(value: unknown, title: string): boolean {
  if (typeof value === "string") return value !== "" && value !== "." && !title.includes(oneLine(value));
  return value === true || (typeof value === "object" && value !== null && Object.keys(value).length > 0);
}

/** What a call came to, in one line: long texts were seen as output, or are only counted, and the title was read before. */
export function resultPreview(result: unknown, title = ""): string {
  if (typeof result === "string") return firstLine(result);
  if (Array.isArray(result)) return count(result.length, "item");
  if (typeof result !== "object" || result === null) return result === undefined ? "" : String(result);
  const parts = Object.entries(result).flatMap(([name, value]) => fieldPreview(name, value, title));
  return oneLine(parts.join(" · "));
}

/** Seen before, or of no use to a person. */
const unsaid = new Set(["output", "diff", "artifactId", "durationMs", "startLine", "today"]);

function fieldPreview(name: string, value: unknown, title: string): string[] {
  if (name === "exitCode" && typeof value === "number") return [`exit ${value}`];
  if (unsaid.has(name) || value === false || value === 0 || value === null || value === undefined) return [];
  if (value === true) return [inWords(name)];
  if (name === "bytes" && typeof value === "number") return [size(value)];
  if (Array.isArray(value)) return [count(value.length, inWords(singular(name)), inWords(name))];
  if (typeof value === "object") return [];
  if (typeof value !== "string") return [`${inWords(name)} ${value}`];
  if (value.length > LONGEST_VALUE || value.includes("\n"))
    return [`${inWords(name)} ${size(Buffer.byteLength(value))}`];
  return value === "." || title.includes(value) ? [] : [/^[0-9a-f]{40}$/.test(value) ? value.slice(0, 8) : value];
}

/** `totalLines` as a person would write it. */
const inWords = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Of the name of a list. */
function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/(?<=ch|sh|x|ss)es$|s$/, "");
}

function firstLine(text: string): string {
  const lines = plainText(text.slice(0, 10 * LONGEST_PREVIEW)).split("\n");
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const more = text.split("\n").filter((line) => line.trim() !== "").length - 1;
  return more > 0 ? `${oneLine(first)} … (${count(more, "more line", "more lines")})` : oneLine(first);
}

/** Text in a single line. */
export function oneLine(text: string): string {
  return plainText(text.slice(0, 10 * LONGEST_PREVIEW))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST_PREVIEW);
}
