import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { extname } from "node:path";
import type { TLSSocket } from "node:tls";
import { answer, type Headers } from "../transports/http/answer.ts";
import type { Exchange, Route } from "../transports/http/route.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** Nothing but the page's own files is loaded, nobody but this server is talked to, and no other page can frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** A page that opens it in another window gets no hand on it. */
const headers = { "Content-Security-Policy": policy, "Cross-Origin-Opener-Policy": "same-origin" };

/** The files of the pages: they are the same for everyone, and hold nothing that is not in the package. */
export function pageRoutes(): Route[] {
  return [...filesIn("", "/", () => headers), ...filesIn("preview/", "/preview", previewHeaders)];
}

function filesIn(folder: string, index: string, headersOf: (request: IncomingMessage) => Headers): Route[] {
  const place = new URL(folder, pageFolder());
  return readdirSync(place).flatMap((name): Route[] => {
    const type = types[extname(name)];
    if (type === undefined) return [];
    const content = readFileSync(new URL(name, place));
    const path = name === "index.html" ? index : `/page/${folder}${name}`;
    const handle = ({ request, response }: Exchange) => answer(response, 200, type, content, headersOf(request));
    return [{ method: "GET", path, access: "open", handle }];
  });
}

/**
 * It frames generated interfaces, and a frame cannot be led anywhere else than there: not even to another path of this server. The name is
 * one of the server's own, or the request would not have come this far.
 */
function previewHeaders({ headers: { host = "" }, socket }: IncomingMessage): Headers {
  const scheme = (socket as Partial<TLSSocket>).encrypted ? "https" : "http";
  return { ...headers, "Content-Security-Policy": `${policy}; frame-src ${scheme}://${host}/preview/frame` };
}

/** Beside the bundle, or in the source tree. */
export function pageFolder(): URL {
  const beside = new URL("page/", import.meta.url);
  return existsSync(beside) ? beside : new URL("../page/", import.meta.url);
}
