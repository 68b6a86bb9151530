import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DragomanError } from "../core/errors.ts";
import { asHtml } from "../generator/emitting/project-frame.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { bundleInterface } from "./generate-bundle.ts";
import type { Output } from "./generate-progress.ts";
import { toldToEnd } from "./serve-ending.ts";
import { openInBrowser } from "./serve-open.ts";

interface ServeInterfaceOptions {
  code: string;
  title: string;
  port?: number;
  open: boolean;
}

/** Shows an interface in the browser until it is told to end. */
export async function serveInterface(options: ServeInterfaceOptions, stderr: Output): Promise<number> {
  const script = await bundleInterface(options.code);
  const server = createServer(interfaceListener(options.title, script));
  await listening(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  stderr.write(`The interface is on ${url} (sample data; ctrl-c ends it)\n`);
  if (options.open) openInBrowser(url, dataFolder(), () => {});
  const code = await toldToEnd({ untilStdinEnds: false, onHurry: () => server.closeAllConnections() });
  server.close();
  server.closeAllConnections();
  return code;
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken by another program. Leave --port out for any free one.`;
      reject(error.code === "EADDRINUSE" ? new DragomanError("conflict", taken) : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

/** The page and its script, and nothing else. Whoever comes by another name than this machine's was led here by a page elsewhere. */
export function interfaceListener(title: string, script: string): RequestListener {
  const files: Record<string, { type: string; content: string }> = {
    "/": { type: "text/html; charset=utf-8", content: page(title) },
    "/interface.js": { type: "text/javascript; charset=utf-8", content: script },
  };
  return (request, response) => {
    const file = files[request.url?.split("?")[0] ?? ""];
    const isOurs = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(request.headers.host ?? "");
    if (!isOurs) return void response.writeHead(403).end("This is not the name of this machine.\n");
    if (!file || !["GET", "HEAD"].includes(request.method ?? ""))
      return void response.writeHead(404).end("Not found.\n");
    response
      .writeHead(200, {
        "Content-Type": file.type,
        "Content-Security-Policy": contentPolicy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
      })
      .end(request.method === "HEAD" ? undefined : file.content);
  };
}

/** Its own script and styles only. It may ask the API that the user connects it to, wherever that is. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src data: blob: https:",
  "connect-src https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${asHtml(title)}</title>
  </head>
  <body>
    <div id="root"></div>
    <script src="/interface.js"></script>
  </body>
</html>
`;
