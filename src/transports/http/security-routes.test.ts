import { createConnection } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { SignIns } from "../../access/sign-ins.ts";
import { httpWorlds } from "../../testing/http-world.ts";
import { refusedUpgrade } from "../../testing/socket-server.ts";

const newWorld = httpWorlds();

const OPEN = ["GET /health", "GET /sign-in", "POST /auth/sign-in", "POST /auth/verify", "POST /api/v1/auth/verify"];

/** With something in place of each name. */
const at = (path: string) => path.replaceAll(/:\w+/g, "x");

/** Counts what it hands out. */
class CountedSignIns extends SignIns {
  made = 0;
  override newLink(...about: Parameters<SignIns["newLink"]>): string {
    this.made++;
    return super.newLink(...about);
  }
  override begin(...about: Parameters<SignIns["begin"]>): string {
    this.made++;
    return super.begin(...about);
  }
  override beginProgram(...about: Parameters<SignIns["beginProgram"]>): string {
    this.made++;
    return super.beginProgram(...about);
  }
  override newTicket(...about: Parameters<SignIns["newTicket"]>): string {
    this.made++;
    return super.newTicket(...about);
  }
}

test("every route but the few that are open answers 401 without a token and does nothing", async () => {
  const signIns = new CountedSignIns({});
  const world = await newWorld({ signIns });
  const answers: Record<string, number> = {};
  for (const { method, path } of world.server.routes) {
    const answer = await world.ask({ method, path: at(path), body: method === "POST" ? '{"token":"drg_x"}' : "" });
    answers[`${method} ${path}`] = answer.status;
  }
  const closed = Object.entries(answers).filter(([name]) => !OPEN.includes(name));
  expect(closed.filter(([, status]) => status !== 401)).toEqual([]);
  expect(closed.length).toBeGreaterThan(8);
  expect({ reached: world.reached, made: signIns.made }).toEqual({ reached: [], made: 0 });
});

test("every route answers 401 to a token that is none, whatever else it brings", async () => {
  const world = await newWorld();
  const headers = { Authorization: `Bearer drg_${"x".repeat(43)}`, Cookie: world.cookie() };
  for (const { method, path } of world.server.routes) {
    if (OPEN.includes(`${method} ${path}`)) continue;
    expect(await world.ask({ method, path: at(path), headers })).toMatchObject({ status: 401 });
  }
  expect(world.reached).toEqual([]);
});

test("every socket answers 401 without a token, before it is one", async () => {
  const world = await newWorld();
  for (const { path } of world.server.sockets) {
    expect(await refusedUpgrade(world.url.replace("http", "ws") + path)).toMatchObject({ status: 401 });
  }
  expect(world.reached).toEqual([]);
});

test("whoever is not known does not learn what paths and methods there are", async () => {
  const world = await newWorld();
  const statuses = async (token?: string) => {
    const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
    const asked = [
      { path: "/nothing/here" },
      { path: "/rpc" },
      { path: "/ui" },
      { path: "/rpc", method: "OPTIONS" },
      { path: "/health", method: "POST" },
    ];
    return Promise.all(asked.map(async (request) => (await world.ask({ ...request, headers })).status));
  };
  expect(await statuses()).toEqual([401, 401, 401, 401, 405]);
  expect(await statuses(world.admin)).toEqual([404, 405, 426, 405, 405]);
});

test("a 401 says how to come in", async () => {
  const world = await newWorld();
  const answer = await world.ask({ method: "POST", path: "/rpc", body: "{}" });
  expect(answer.headers["www-authenticate"]).toBe("Bearer");
  expect(JSON.parse(answer.body)).toEqual({
    error: { code: "unauthorized", message: expect.stringContaining("Authorization: Bearer") },
  });
});

test("no answer to any page has an Access-Control header, preflights included", async () => {
  const world = await newWorld();
  const asked = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization" };
  for (const origin of ["https://evil.test", "null", world.url, `http://localhost:${world.port}`]) {
    for (const { method, path } of world.server.routes) {
      if (path.startsWith("/stream")) continue;
      for (const one of [method, "OPTIONS"]) {
        const headers = { Origin: origin, Authorization: `Bearer ${world.admin}`, ...asked };
        const answer = await world.ask({ method: one, path: at(path), headers });
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
        if (!origin.startsWith("http://")) expect(answer.status).toBe(403);
      }
    }
  }
});

test("every answer tells browsers to keep nothing, guess nothing and show it in no frame, and has an id", async () => {
  const world = await newWorld();
  const careful = {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
  const auth = `Authorization: Bearer ${world.admin}\r\n`;
  const asked = [
    "GET /health HTTP/1.1\r\nHost: $\r\n\r\n",
    "GET /sign-in?code=x HTTP/1.1\r\nHost: $\r\n\r\n",
    `GET /stream/x HTTP/1.1\r\nHost: $\r\nConnection: close\r\n${auth}\r\n`.replace("/stream/x", "/sessions/x"),
    `GET /nothing HTTP/1.1\r\nHost: $\r\n${auth}\r\n`,
    "GET /rpc HTTP/1.1\r\nHost: evil.test\r\n\r\n",
    "GET /ui HTTP/1.1\r\nHost: $\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "this is no request\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: $\r\nExpect: miracles\r\n\r\n",
  ];
  const answers = await Promise.all(asked.map((text) => world.ask(text.replace("$", `127.0.0.1:${world.port}`))));
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 404, 403, 401, 400, 200]);
  for (const { headers } of answers) expect(headers).toMatchObject(careful);
});

test("only this machine reaches it", async () => {
  const world = await newWorld();
  const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address, internal, family } of others) {
    if (internal || (family === "IPv6" && address.startsWith("fe80"))) continue;
    expect(await connects(world.port, address)).toBe("ECONNREFUSED");
  }
  expect(await connects(world.port, "127.0.0.1")).toBe("connected");
});

function connects(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(port, host);
    socket
      .once("connect", () => resolve("connected"))
      .once("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
    socket.once("connect", () => socket.destroy());
  });
}

test.each(["0.0.0.0", "::", "192.0.2.1"])("refuses to listen at %s without TLS, and says what to do", async (host) => {
  await expect(newWorld({ host })).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringMatching(/--tls-cert.*--without-tls/),
  });
});

test("listens for others without TLS when that was said plainly, under its own names alone", async () => {
  const world = await newWorld({ host: "0.0.0.0", withoutTls: true, hosts: ["build.test"] });
  const ask = async (host: string) => (await world.ask({ path: "/health", headers: { Host: host } })).status;
  expect(await ask(`127.0.0.1:${world.port}`)).toBe(200);
  expect(await ask(`build.test:${world.port}`)).toBe(200);
  expect(await ask(`other.test:${world.port}`)).toBe(403);
});
