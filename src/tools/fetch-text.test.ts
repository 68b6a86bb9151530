import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type FetchTextOptions, fetchText } from "./fetch-text.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** On this machine, so what is fetched from it has been allowed. */
async function served(listener: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/spec.json`, requests: () => requests };
}

const limits: FetchTextOptions = {
  maxBytes: 10_000,
  timeoutMs: 5000,
  allowedHosts: [],
  ifInside: (host) => `Allow ${host}.`,
};
const fetched = (url: string, options: Partial<FetchTextOptions> = {}) => fetchText(url, { ...limits, ...options });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "read",
    (error) => `${error.code}: ${error.message}`,
  );

test("reads a text from a host that was allowed, by name or with its port, and tells how far it is", async () => {
  const { port, url } = await served((_, response) => response.setHeader("Content-Length", 5).end("héy!"));
  const steps: unknown[] = [];
  const onProgress = (...step: unknown[]) => void steps.push(step);
  expect(await fetched(url, { allowedHosts: ["127.0.0.1"], onProgress })).toBe("héy!");
  expect(steps).toEqual([[5, 5]]);
  expect(await fetched(url, { allowedHosts: [`127.0.0.1:${port}`] })).toBe("héy!");
});

test("does not ask this machine or the network around it, however it is written", async () => {
  const { port, requests } = await served((_, response) => response.end("secret"));
  const hosts = [
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f.1",
    "017700000001",
    "127.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
  ];
  for (const host of hosts) {
    expect(await refusal(fetched(`http://${host}:${port}/`))).toMatch(/^denied: .* Allow .*:\d+\.$/);
  }
  expect(await refusal(fetched("http://169.254.169.254/latest/meta-data/"))).toMatch(/^denied: 169.254.169.254 is /);
  expect(await refusal(fetched(`http://127.0.0.1:${port}/`, { allowedHosts: ["localhost", `127.0.0.1:1`] }))).toMatch(
    /^denied/,
  );
  expect(requests()).toBe(0);
});

test("a redirect to this machine is refused like an address that was given", async () => {
  const secret = await served((_, response) => response.end("secret"));
  const first = await served((_, response) => response.writeHead(302, { Location: secret.url }).end());
  const allowedHosts = [`127.0.0.1:${first.port}`];
  expect(await refusal(fetched(first.url, { allowedHosts }))).toContain("denied: 127.0.0.1 is on this machine");
  expect(secret.requests()).toBe(0);
  expect(await fetched(first.url, { allowedHosts: ["127.0.0.1"] })).toBe("secret");
});

test("redirects end", async () => {
  const { url, requests } = await served((_, response) => response.writeHead(302, { Location: "/again" }).end());
  expect(await refusal(fetched(url, { allowedHosts: ["127.0.0.1"] }))).toContain("from one address to the next");
  expect(requests()).toBe(6);
});

test("what is too large is not read to its end, whether it says so or not", async () => {
  const endless = await served((_, response) => {
    const more = () => response.write("x".repeat(1000), () => response.destroyed || setImmediate(more));
    more();
  });
  const honest = await served((_, response) => response.writeHead(200, { "Content-Length": 1e9 }).write("x"));
  for (const { url } of [endless, honest])
    expect(await refusal(fetched(url, { allowedHosts: ["127.0.0.1"] }))).toMatch(
      /^too_large: What 127.0.0.1:\d+ sends/,
    );
});

test("what does not come in time is given up", async () => {
  const { url } = await served(() => {});
  const outcome = await refusal(fetched(url, { allowedHosts: ["127.0.0.1"], timeoutMs: 50 }));
  expect(outcome).toMatch(/^timeout: 127.0.0.1:\d+ did not send it within 0.05 s/);
});

test("an answer that is no success is told as it came", async () => {
  const { url } = await served((_, response) => response.writeHead(404).end());
  expect(await refusal(fetched(url, { allowedHosts: ["127.0.0.1"] }))).toMatch(
    /^tool_failed: .* answered 404 Not Found$/,
  );
});

test.each(["file:///etc/passwd", "ftp://x/y", "data:,x", "//x"])("%s is not read", async (url) => {
  expect(await refusal(fetched(url))).toMatch(/^invalid_params: Only http and https/);
});

test("an address with a password in it is refused, and the password not repeated", async () => {
  const outcome = await refusal(fetched("https://me:hunter2@example.com/"));
  expect(outcome).toMatch(/^invalid_params/);
  expect(outcome).not.toContain("hunter2");
});
