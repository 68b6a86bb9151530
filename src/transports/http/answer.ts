import type { OutgoingHttpHeader, ServerResponse } from "node:http";

export type Headers = Readonly<Record<string, string>>;

/** Answers with a body of that type, and nothing more is to come. */
export function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  more?: Headers,
): void {
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const headers: OutgoingHttpHeader[] = ["Content-Type", type, "Content-Length", String(length)];
  if (more) for (const name in more) headers.push(name, more[name] ?? "");
  response.writeHead(status, headers);
  // As many bytes as characters is ASCII, which Node writes faster when it is told so.
  if (typeof body === "string" && length === body.length) response.end(body, "latin1");
  else response.end(body);
}

export function answerJson(response: ServerResponse, status: number, value: unknown, more?: Headers): void {
  answer(response, status, "application/json", JSON.stringify(value), more);
}

/** 204, or another status with nothing to say. */
export function answerNothing(response: ServerResponse, status = 204, more: Headers = {}): void {
  const headers = Object.entries(more).flat();
  // Without a length Node would send an empty body in chunks.
  if (status !== 204 && response.req.method !== "HEAD") headers.push("Content-Length", "0");
  response.writeHead(status, headers);
  response.end();
}
