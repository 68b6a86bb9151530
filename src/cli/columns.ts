import { stripVTControlCharacters } from "node:util";
import { plainText } from "../core/plain-text.ts";
import type { Frame, NumberedFrame } from "../dialects/dialect.ts";
import type { Paint } from "./terminal/paint.ts";
import { cut, widthOf } from "./terminal/text-width.ts";

/** What a message is about and what it says, short enough for a line: ids and times are left out. */
export function gist({ event, text }: Pick<Frame, "event" | "text">): { name: string; body: string } {
  const message = JSON.parse(text) as Record<string, unknown>;
  const body = (value: unknown) => plainText(shortened(value));
  if (event) return { name: event, body: body(message) };
  if ("jsonrpc" in message) {
    return {
      name: String(message.method ?? "response"),
      body: body(message.params ?? message.result ?? message.error),
    };
  }
  return { name: String(message.type), body: body(message.data ?? { ...message, type: undefined }) };
}

const boring =
  /^(jsonrpc|timestamp|seq|log_seq|logSeq|sequence|index|sender|expiresAt|expires_at|subsection)$|(^|_)ids?$|Ids?$/;
/** Their names say no more than their values. */
const nameless =
  /^(type|kind|role|status|tool|toolName|name|event|delta|content|text|message|title|description|chunk)$/;

/** Last, since a line has no room for all. */
const lengthy = /^(args|diff|steps|todos|metadata)$/;

/** A value in one line, as short as it can be said. */
export function shortened(value: unknown): string {
  if (typeof value === "string") return /^[\w.]+$/.test(value) ? value : JSON.stringify(plainText(value));
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map(shortened).join(", ")}]`;
  return Object.entries(value)
    .sort(([a], [b]) => Number(lengthy.test(a)) - Number(lengthy.test(b)))
    .filter(([key, part]) => !boring.test(key) && part !== undefined)
    .map(([key, part]) => (nameless.test(key) ? shortened(part) : `${key}=${inner(part)}`))
    .filter((part) => !part.endsWith("={}") || part.startsWith("args"))
    .join(" ");
}

const inner = (value: unknown) =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? `{${shortened(value)}}` : shortened(value);

/** Cut or filled to a width; colours do not count. */
export function cell(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  const missing = width - widthOf(stripVTControlCharacters(text));
  if (missing >= 0) return text + " ".repeat(missing);
  const short = cut(text, width);
  return short + " ".repeat(Math.max(0, width - widthOf(short)));
}

export { colours, noColours, type Paint } from "./terminal/paint.ts";

const SEPARATOR = " │ ";
const NARROWEST = 80;

/** Two streams of messages side by side; what came of the same event stands in the same rows. */
export class Columns {
  readonly #left: string;
  readonly #right: string;
  readonly #width: number;
  readonly #paint: Paint;

  constructor(left: string, right: string, width: number, paint: Paint) {
    this.#left = left;
    this.#right = right;
    this.#width = width;
    this.#paint = paint;
  }

  /** Where there is no room for two, or no terminal, the messages go under each other, each with the name of its dialect. */
  get stacked(): boolean {
    return this.#width < NARROWEST || !Number.isFinite(this.#width);
  }

  get #columnWidth(): number {
    return Math.floor((this.#width - SEPARATOR.length) / 2);
  }

  head(): string {
    if (this.stacked) return "";
    const { bold, dim } = this.#paint;
    const width = this.#columnWidth;
    const titles = bold(cell(this.#left, width)) + dim(SEPARATOR) + bold(cell(this.#right, width));
    return `${titles}\n${dim(`${"─".repeat(width + 1)}┼${"─".repeat(width + 1)}`)}\n`;
  }

  rows(left: Pick<NumberedFrame, "event" | "text">[], right: Pick<NumberedFrame, "event" | "text">[]): string {
    if (this.stacked) {
      const line = (name: string) => (frame: Pick<Frame, "event" | "text">) =>
        `${this.#line(`${name}: `, frame, this.#width)}\n`;
      return [...left.map(line(this.#left)), ...right.map(line(this.#right))].join("");
    }
    const width = this.#columnWidth;
    const blank = " ".repeat(width);
    const count = Math.max(left.length, right.length);
    return Array.from({ length: count }, (_, row) => {
      const [a, b] = [left[row], right[row]].map((frame) => (frame ? this.#line("", frame, width) : blank));
      return `${a}${this.#paint.dim(SEPARATOR)}${b}`.trimEnd();
    })
      .map((row) => `${row}\n`)
      .join("");
  }

  #line(prefix: string, frame: Pick<Frame, "event" | "text">, width: number): string {
    const { name, body } = gist(frame);
    const plain = cell(`${prefix}${name} ${body}`.trimEnd(), width);
    const start = prefix.length + name.length;
    return this.#paint.bold(plain.slice(0, start)) + plain.slice(start);
  }
}
