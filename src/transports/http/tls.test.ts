import { request } from "node:https";
import { expect, test } from "vitest";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";
import { selfSigned } from "../../testing/self-signed.ts";

const newWorld = httpWorlds();
const tls = selfSigned();

function ask({ port }: HttpWorld, path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status?: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const asked = request(
      { port, path, method, headers, ca: tls.cert, host: "localhost", agent: false },
      (response) => {
        response.resume().once("end", () => resolve({ status: response.statusCode, headers: response.headers }));
      },
    );
    asked.once("error", reject).end();
  });
}

test("serves over TLS under https origins alone, and its cookie never leaves it", async () => {
  const world = await newWorld({ tls });
  expect(world.url).toBe(`https://127.0.0.1:${world.port}`);
  expect((await ask(world, "/health")).status).toBe(200);
  expect((await ask(world, "/health", { Origin: `https://localhost:${world.port}` })).status).toBe(200);
  expect((await ask(world, "/health", { Origin: `http://localhost:${world.port}` })).status).toBe(403);
  const grant = world.tokens.verify(world.admin);
  const code = grant && world.signIns.newLink(grant);
  const { headers } = await ask(world, `/sign-in?code=${code}`);
  expect(headers["set-cookie"]).toEqual([
    expect.stringMatching(/^dragoman_\d+=[\w-]+; HttpOnly; SameSite=Strict; Path=\/; Secure; Max-Age=86400$/),
  ]);
});

test("with TLS it listens for others", async () => {
  const world = await newWorld({ tls, host: "0.0.0.0" });
  expect((await ask(world, "/health")).status).toBe(200);
});

test("who speaks plain HTTP to it, or only half of TLS, gets nowhere", async () => {
  const world = await newWorld({ tls, limits: { headersMs: 200, requestMs: 300, checkEveryMs: 20 } });
  const plain = world.connect().send({ path: "/health" });
  await plain.closed;
  expect(plain.unread).not.toContain("HTTP/1.1 200");
  const half = world.connect().write("\x16\x03\x01\x02\x00\x01");
  await half.closed;
  expect((await ask(world, "/health")).status).toBe(200);
});
