import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { answer } from "../transports/http/answer.ts";
import type { Route } from "../transports/http/route.ts";

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

/** The files of the page: they are the same for everyone, and hold nothing that is not in the package. */
export function pageRoutes(): Route[] {
  const folder = pageFolder();
  return readdirSync(folder).flatMap((name): Route[] => {
    const type = types[extname(name)];
    if (type === undefined) return [];
    const content = readFileSync(new URL(name, folder));
    return [
      {
        method: "GET",
        path: name === "index.html" ? "/" : `/page/${name}`,
        access: "open",
        handle: ({ response }) => answer(response, 200, type, content, headers),
      },
    ];
  });
}

/** Beside the bundle, or in the source tree. */
function pageFolder(): URL {
  const beside = new URL("page/", import.meta.url);
  return existsSync(beside) ? beside : new URL("../page/", import.meta.url);
}
