// Serves the page, and passes everything else on to Dragoman, so that both have one origin: see README.md.
import { createReadStream } from "node:fs";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { port: { type: "string", default: "8080" }, server: { type: "string", default: "http://127.0.0.1:8137" } },
});
const dragoman = new URL(values.server);
const target = { host: dragoman.hostname, port: Number(dragoman.port) };
const here = (/** @type {string} */ name) => new URL(name, import.meta.url);

/** Nothing else is served: no path of a request ever becomes one of a file. */
const files = new Map([
  ["/", { file: here("index.html"), type: "text/html; charset=utf-8" }],
  ["/page.css", { file: here("page.css"), type: "text/css" }],
  ["/page.js", { file: here("page.js"), type: "text/javascript" }],
  ["/messages.js", { file: here("messages.js"), type: "text/javascript" }],
  ["/client/operations.js", { file: import.meta.resolve("dragoman/clients/operations"), type: "text/javascript" }],
]);

const server = createServer((incoming, response) => {
  const found = files.get((incoming.url ?? "").split("?")[0] ?? "");
  if (found && incoming.method === "GET") {
    response.writeHead(200, {
      "Content-Type": found.type,
      "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'",
    });
    createReadStream(fileURLToPath(found.file)).pipe(response);
    return;
  }
  // The Host and the Origin go through as they are: Dragoman judges them itself.
  const passed = request(
    { ...target, method: incoming.method, path: incoming.url, headers: incoming.headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  passed.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on("close", () => passed.destroy());
  incoming.pipe(passed);
});

server.on("upgrade", (incoming, socket, head) => {
  const passed = connect(target, () => {
    const headers = incoming.rawHeaders.flatMap((name, at) =>
      at % 2 ? [] : [`${name}: ${incoming.rawHeaders[at + 1]}`],
    );
    passed.write([`GET ${incoming.url} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
    passed.write(head);
    passed.pipe(socket).pipe(passed);
  });
  for (const one of [passed, socket]) {
    one.on("error", () => {});
    one.on("close", () => {
      passed.destroy();
      socket.destroy();
    });
  }
});

server.listen(Number(values.port), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
