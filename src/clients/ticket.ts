import { boundedText } from "./bounded-text.ts";
import { isObject } from "./is-object.ts";

const MOST_ANSWER_BYTES = 64 * 1024;
const SHOWN = 300;

interface TicketRequest {
  tickets: URL;
  /** Without one a browser shows its cookie. */
  token: string | undefined;
  fetch: typeof fetch | undefined;
  signal: AbortSignal;
}

/** The server does not let us in; the message is its own. */
export class Refused extends Error {}

/** What opens one socket without a token in its address. */
export async function newTicket({ tickets, token, fetch: get = fetch, signal }: TicketRequest): Promise<string> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await get(tickets, { method: "POST", headers, signal, redirect: "error" });
  const text = await boundedText(response, MOST_ANSWER_BYTES, () => new Error("the answer is too large"));
  const { ticket, error } = objectIn(text);
  const said = isObject(error) && typeof error.message === "string" ? error.message.slice(0, SHOWN) : undefined;
  if (response.status === 401 || response.status === 403) throw new Refused(said ?? `status ${response.status}.`);
  if (response.ok && typeof ticket === "string") return ticket;
  throw new Error(`it gave no ticket (${response.status})${said ? `: ${said}` : ""}`);
}

/** What is no JSON comes from something else than the server. */
function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
