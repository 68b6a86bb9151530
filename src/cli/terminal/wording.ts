import { plainText } from "../../dialects/plain-text.ts";
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

const LONGEST_PREVIEW = 500;
const LONGEST_VALUE = 60;

/** The arguments of a call in one line. */
export function argsPreview(args: unknown): string {
  if (args === undefined || args === null) return "";
  return oneLine(typeof args === "string" ? args : shortened(args));
}

/** What a call came to, in one line: long texts were seen as output, or are only counted. */
export function resultPreview(result: unknown): string {
  if (typeof result === "string") return firstLine(result);
  if (Array.isArray(result)) return count(result.length, "item");
  if (typeof result !== "object" || result === null) return result === undefined ? "" : String(result);
  const parts = Object.entries(result).flatMap(([name, value]) => fieldPreview(name, value));
  return oneLine(parts.join(" · "));
}

/** Seen before, or of no use to a person. */
const unsaid = new Set(["output", "diff", "artifactId", "durationMs"]);

function fieldPreview(name: string, value: unknown): string[] {
  if (name === "exitCode" && typeof value === "number") return [`exit ${value}`];
  if (unsaid.has(name) || value === false || value === null || value === undefined) return [];
  if (value === true) return [name];
  if (name === "bytes" && typeof value === "number") return [size(value)];
  if (Array.isArray(value)) return [count(value.length, singular(name), name)];
  if (typeof value === "object") return [];
  if (typeof value !== "string") return [`${name} ${value}`];
  return value.length <= LONGEST_VALUE && !value.includes("\n")
    ? [value]
    : [`${name} ${size(Buffer.byteLength(value))}`];
}

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
