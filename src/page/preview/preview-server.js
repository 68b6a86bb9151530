import { answerTo } from "../server.js";
import { AtMost } from "./at-most.js";

// What the preview asks of the server that it came from, besides what it says over its socket.

const BYTES = { "content-type": "application/octet-stream" };
const JSON_TYPE = { "content-type": "application/json" };
/** A browser has six connections to a server at a time. Slow APIs leave some of them to the page. */
const requests = new AtMost(4);

const connectionAt = (sessionId) => `/preview/connections/${encodeURIComponent(sessionId)}`;
const requestsAt = (sessionId) => `/preview/requests/${encodeURIComponent(sessionId)}`;

/** Has an interface made of a description, in that session or a new one: of a text, or of what is at an address. */
export async function generate({ name, text, address, inside, sessionId }) {
  const from = address === undefined ? { name } : { address, ...(inside && { inside: "1" }) };
  const query = new URLSearchParams({ ...from, ...(sessionId && { session: sessionId }) });
  const response = await answerTo("POST", `/preview/generate?${query}`, { headers: BYTES, body: text });
  return response.json();
}

/** Where the session is connected to, where it could be, and of which schemes something is kept. */
export async function connectionOf(sessionId) {
  return (await answerTo("GET", connectionAt(sessionId))).json();
}

export async function connect(sessionId, server, credentials) {
  const body = JSON.stringify({ server, credentials });
  return (await answerTo("PUT", connectionAt(sessionId), { headers: JSON_TYPE, body })).json();
}

export async function disconnect(sessionId, { forget = false } = {}) {
  await answerTo("DELETE", `${connectionAt(sessionId)}${forget ? "?forget=1" : ""}`);
}

/** Nothing is kept for that scheme, host and port any more, whether something is connected to it or not. */
export async function forget(origin) {
  await answerTo("DELETE", `/preview/connections?${new URLSearchParams({ origin })}`);
}

export async function requestsOf(sessionId) {
  return (await (await answerTo("GET", requestsAt(sessionId))).json()).requests;
}

export const clearRequests = (sessionId) => answerTo("DELETE", requestsAt(sessionId));

/** Asks the API that a session is connected to, in the name of its interface, when it is its turn. */
export const ask = (sessionId, request, signal) => requests.run(() => askNow(sessionId, request, signal), signal);

/** In both directions a line of JSON stands before the body. */
async function askNow(sessionId, { method, url, headers, body, auth }, signal) {
  const { type, content } = await contentOf(body);
  const named = Object.entries(headers).filter(([name]) => !type || name.toLowerCase() !== "content-type");
  const head = { sessionId, method, url, headers: Object.fromEntries(named), auth };
  if (type) head.headers["content-type"] = type;
  const sent = new Blob([JSON.stringify(head), "\n", content]);
  const response = await answerTo("POST", "/preview/request", { headers: BYTES, body: sent, signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const end = bytes.indexOf(10);
  const answer = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  return {
    ...answer,
    body: new Blob([bytes.subarray(end + 1)], { type: answer.headers["content-type"] ?? "" }),
  };
}

/** Parts are put together here, with a boundary between them that is told as the type. */
async function contentOf(body = "") {
  if (!Array.isArray(body)) return { content: body };
  const form = new FormData();
  for (const { name, value, filename } of body) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, filename);
  }
  const made = new Response(form);
  return { type: made.headers.get("content-type"), content: await made.blob() };
}
