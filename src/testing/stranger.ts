import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

/** Someone else's website on another port of this machine, and what it was asked for. */
export interface Stranger {
  url: string;
  asked: string[];
}

/** Websites that are closed with the test that opened them. Each shows an empty page, whatever the path. */
export function strangers() {
  const open: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  return async (): Promise<Stranger> => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      if (request.url !== "/favicon.ico") asked.push(`${request.method} ${request.url}`);
      response.setHeader("content-type", "text/html").end("<!doctype html><title>A website</title>");
    });
    server.on("upgrade", (request, socket) => {
      asked.push(`upgrade ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  };
}
