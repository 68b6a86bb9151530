import type { IncomingMessage } from "node:http";

export const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** The text of a request; nothing where it is too large, of which then no more is read. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
