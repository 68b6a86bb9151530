import type { JsonObject } from "./json-values.ts";

/** What was said or done in a conversation, whichever wire told it. A call is the model's, a result the agent's. */
export interface Entry {
  role: "system" | "user" | "model" | "call" | "result";
  text: string;
}

/** A tool as the agent offers it. All but functions take no arguments by a schema. */
export interface OfferedTool {
  name: string;
  form: "function" | "custom" | "local_shell";
  schema: JsonObject;
  /** The group of tools it was offered in, which a call of it must name. */
  namespace?: string;
}

/** What an agent asks of the model, the same for every wire. */
export interface ModelRequest {
  model: string;
  entries: Entry[];
  tools: OfferedTool[];
  stream: boolean;
  /** Whether it wants to see thinking. */
  thinking: boolean;
  /** It wants JSON of this shape for an answer. */
  schema?: JsonObject;
}

const asides = /<([a-z_-]*(?:reminder|context|datetime|environment|instructions)[a-z_-]*)(?:\s[^>]*)?>.*?<\/\1>/gis;
const wrapping = /<\/?(?:user_request|user_query|user-prompt|user_message|userRequest)>/g;

/** What the user wrote, without what agents put around it. */
export function plainWords(text: string): string {
  return text.replace(asides, "").replace(wrapping, "").trim();
}

/** Whether the model has said its last to this entry, which it has where the user speaks again behind its words. */
export function wasAnswered(entries: Entry[], at: number): boolean {
  const behind = entries.slice(at + 1).filter(({ role }) => role !== "system"); // agents put notes anywhere
  return behind.some(({ role }, i) => role === "model" && behind[i + 1]?.role === "user");
}
