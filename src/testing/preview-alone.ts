import type { RequestListener } from "node:http";
import { packageFolder } from "../core/package-folder.ts";
import { asHtml } from "../generator/emitting/project-frame.ts";
import { bundle } from "../preview/bundle.ts";

const start = `import { createRoot } from "react-dom/client";
import App from "interface";
createRoot(document.getElementById("root")).render(<App />);
`;

/** A generated module with React as one script for a page of its own, without a preview around it. */
export function bundleInterface(code: string): Promise<string> {
  const resolveDir = packageFolder();
  return bundle({ code, packageFolder: resolveDir, start: { contents: start, resolveDir } });
}

/** The page and its script, and nothing else. */
export function interfaceListener(title: string, script: string): RequestListener {
  const files: Record<string, { type: string; content: string }> = {
    "/": { type: "text/html; charset=utf-8", content: page(title) },
    "/interface.js": { type: "text/javascript; charset=utf-8", content: script },
  };
  return (request, response) => {
    const file = files[request.url?.split("?")[0] ?? ""];
    if (!file) return void response.writeHead(404).end("Not found.\n");
    response.writeHead(200, { "Content-Type": file.type, "Content-Security-Policy": contentPolicy }).end(file.content);
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
