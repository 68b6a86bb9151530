import type * as z from "zod";
import type { RunResult } from "../../core/events.ts";
import { type Chat, chatMessage } from "./chat.ts";
import type { runResult } from "./messages.ts";

type WireResult = z.infer<typeof runResult>;

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function count(value: unknown): number {
  return Number.isInteger(value) && (value as number) >= 0 ? (value as number) : 0;
}

type Data = NonNullable<RunResult["data"]>;

const versionOf = ({ version }: Data) => (count(version) > 0 ? { version: count(version) } : {});

/** Only where there was an interface before. */
function keptOf({ kept, conflicts }: Data) {
  if (!Array.isArray(conflicts)) return {};
  const told = conflicts.map(({ said, why }) => ({ said: String(said), why: String(why) }));
  return { kept: count(kept), conflicts: told };
}

function customization(result: RunResult): WireResult {
  const { text, description = text, code = "", data = {} } = result;
  if (!data.clarificationNeeded) {
    return {
      code,
      description,
      assumptions: strings(data.assumptions),
      clarificationNeeded: false,
      ...versionOf(data),
    };
  }
  const question = typeof data.question === "string" ? data.question : description;
  return { code: null, clarificationNeeded: true, question, options: strings(data.options) };
}

/** The result of a run as the document has it for what was asked for. */
export function resultOf(action: string | undefined, result: RunResult, chat: Chat): WireResult {
  const { text, description = text, code = "", data = {} } = result;
  if (action === "generate") {
    return { code, componentCount: count(data.componentCount), description, ...versionOf(data), ...keptOf(data) };
  }
  if (action === "revert") return { code, description, ...versionOf(data) };
  if (action === "customize") return customization(result);
  return { message: chatMessage(result, chat), suggestions: strings(data.suggestions) };
}
