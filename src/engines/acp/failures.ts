import { DragomanError } from "../../core/errors.ts";
import { modelFailure, plainError } from "../agent-failure.ts";
import type { AgentExit } from "../agent-process.ts";
import type { Initialized } from "./wire.ts";

const AUTH_REQUIRED = -32000;

/** An agent answered a request with an error. */
export class AgentError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/** An agent is gone that was in use, or about to be: how that came, and the last that it wrote for people to read. */
export class AgentCrash extends Error {
  constructor(
    readonly how: string,
    readonly lastWords: string,
  ) {
    super(how);
  }
}

export function howItEnded(exit: AgentExit | undefined): string {
  if (!exit) return "stopped speaking";
  return exit.signal ? `was ended by ${exit.signal}` : `ended unexpectedly with exit code ${exit.code}`;
}

/** What an agent's error is to whoever asked for the run. */
export function failureOf(agent: string, error: AgentError, ways: WaysIn = {}): DragomanError {
  const text = wordsOf(error);
  if (error.code === AUTH_REQUIRED) {
    return new DragomanError(
      "engine_auth",
      `${agent} is not logged in: ${text.replace(/[.\s]+$/, "")}.${waysIn(ways)}`,
    );
  }
  return modelFailure(agent, plainError(text), statusIn(text));
}

/** The status with which a model's server answered, where a text names one. */
export function statusIn(text: string): number | undefined {
  const found =
    /\bError: (\d{3})\b|\(HTTP (\d{3})\)|\bLast error: (\d{3})\b|\bstatus(?: code)?:? (\d{3})\b|"code":\s*(\d{3})\b/i.exec(
      text,
    );
  const status = Number(found?.slice(1).find((each) => each !== undefined));
  return status >= 400 && status < 600 ? status : undefined;
}

/** What it says, without what says nothing. */
export function wordsOf({ message, data }: AgentError): string {
  const detail = detailIn(data);
  const plain = message.replace(/^Internal error(?:: |$)/, "");
  if (plain === "") return detail || message;
  return detail === "" || plain.includes(detail) ? plain : `${plain} (${detail})`;
}

function detailIn(data: unknown): string {
  if (typeof data === "string") return data;
  if (typeof data !== "object" || data === null) return "";
  const fields = data as Record<string, unknown>;
  const text = [fields.details, fields.message, fields.error].find((each) => typeof each === "string");
  return typeof text === "string" ? text.slice(0, 1000) : "";
}

interface WaysIn {
  authMethods?: Initialized["authMethods"];
  howToLogIn?: string;
}

function waysIn({ authMethods: methods, howToLogIn }: WaysIn): string {
  if (howToLogIn !== undefined) return ` Log in with \`${howToLogIn}\` in a terminal, then try again.`;
  if (!methods || methods.length === 0) return " Log in with its own command, then try again.";
  const ways = methods.map(({ id, name, description }) => [name ?? id, description].filter(Boolean).join(" — "));
  return ` Ways to log in, outside of Dragoman: ${ways.join("; ")}. Then try again.`;
}
