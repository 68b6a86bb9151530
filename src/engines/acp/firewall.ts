import type { AnyMessage } from "@agentclientprotocol/sdk";
import { plainText } from "../../core/plain-text.ts";
import { LineSplitter } from "../../transports/line-splitter.ts";

/** A longer line is not held. Agents send whole files in one. */
const LONGEST_LINE = 32 * 1024 * 1024;
/** So much of a line that is no protocol is told. */
const LONGEST_SHOWN = 500;

export interface FirewallOptions {
  onMessage(message: AnyMessage): void;
  /** The beginning of a line that is no protocol, or what is wrong with it. */
  onStray(line: string): void;
  maxBytes?: number;
}

/**
 * Lets through what is protocol on an agent's stdout, whatever else is written there: debugging output, a banner, a progress bar. Nothing
 * of a line is taken for protocol that is not one message as a whole, for what is printed may well quote one.
 */
export class Firewall {
  readonly #options: FirewallOptions;
  readonly #lines: LineSplitter;
  readonly #decoder = new TextDecoder();

  constructor(options: FirewallOptions) {
    this.#options = options;
    const maxBytes = options.maxBytes ?? LONGEST_LINE;
    this.#lines = new LineSplitter({
      crEndsLine: false,
      maxBytes,
      onLine: (line) => this.#take(line),
      onTooLarge: () => options.onStray(`(a line of more than ${maxBytes} bytes)`),
    });
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  #take(line: Uint8Array): void {
    const text = this.#decoder.decode(line).trim();
    if (text === "") return;
    const message = parsed(text);
    if (isMessage(message)) this.#options.onMessage(message);
    else this.#options.onStray(shown(text));
  }
}

function parsed(text: string): unknown {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request, a notification or a response, and nothing in between. */
function isMessage(value: unknown): value is AnyMessage {
  if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0") return false;
  const hasId = "id" in value;
  if (hasId && !isId(value.id)) return false;
  if ("method" in value) return typeof value.method === "string";
  if (!hasId || "result" in value === "error" in value) return false;
  return !("error" in value) || isError(value.error);
}

const isId = (id: unknown) => id === null || typeof id === "string" || Number.isFinite(id);

function isError(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error) || !("message" in error)) return false;
  return Number.isInteger(error.code) && typeof error.message === "string";
}

function shown(text: string): string {
  const plain = plainText(text);
  return plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN).toWellFormed()}…` : plain;
}
