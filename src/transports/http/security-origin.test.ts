import { expect, test } from "vitest";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";
import { openSocket, refusedUpgrade } from "../../testing/socket-server.ts";

const newWorld = httpWorlds();

const socketAt = ({ url }: HttpWorld, path = "/ui") => url.replace("http", "ws") + path;
const statusOf = (answer: Promise<{ status: number }>) => answer.then(({ status }) => status);

const foreign = [
  "https://evil.test",
  "null",
  "http://127.0.0.1",
  "http://127.0.0.1:1",
  "https://127.0.0.1:$",
  "http://localhost.evil.test:$",
  "file://",
  "",
];

/** What a request may bring to be known by: nothing, the cookie, the token. */
const brought = (world: HttpWorld): Record<string, string>[] => [
  {},
  { Cookie: world.cookie() },
  { Authorization: `Bearer ${world.admin}` },
];

test.each(foreign)(
  "an upgrade from the origin %j gets 403 before it is a socket, valid cookie or token or neither",
  async (origin) => {
    const world = await newWorld();
    const Origin = origin.replace("$", String(world.port)) || "http://";
    for (const headers of brought(world)) {
      expect(await statusOf(refusedUpgrade(socketAt(world), { Origin, ...headers }))).toBe(403);
    }
    expect(world.reached).toEqual([]);
  },
);

test.each(foreign)(
  "a request from the origin %j gets 403, valid cookie or token or neither, also where everyone may go",
  async (origin) => {
    const world = await newWorld();
    const Origin = origin.replace("$", String(world.port)) || "http://";
    for (const headers of brought(world)) {
      expect(await statusOf(world.ask({ path: "/health", headers: { Origin, ...headers } }))).toBe(403);
      const prompt = { method: "POST", path: "/rpc", headers: { Origin, ...headers }, body: "{}" };
      expect(await statusOf(world.ask(prompt))).toBe(403);
    }
    expect(world.reached).toEqual([]);
  },
);

test("the server's own page may open a socket by its cookie, under each of the server's names", async () => {
  const world = await newWorld();
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    const own = { Host: `${host}:${world.port}`, Origin: `http://${host}:${world.port}`, Cookie: world.cookie() };
    const { socket, opened } = openSocket(socketAt(world), { headers: own });
    await opened;
    socket.terminate();
  }
  expect(world.reached).toEqual(["/ui", "/ui", "/ui"]);
});

test("a program opens a socket by its token, or by a ticket, which works once", async () => {
  const world = await newWorld();
  const byToken = openSocket(socketAt(world), { headers: { Authorization: `Bearer ${world.admin}` } });
  await byToken.opened;
  const { ticket } = JSON.parse((await world.askAs(world.admin, { method: "POST", path: "/auth/tickets" })).body);
  const byTicket = openSocket(socketAt(world, `/ui?ticket=${ticket}`));
  await byTicket.opened;
  expect(await statusOf(refusedUpgrade(socketAt(world, `/ui?ticket=${ticket}`)))).toBe(401);
  for (const { socket } of [byToken, byTicket]) socket.terminate();
});

test("a socket for a cookie alone takes an origin: no page is without one", async () => {
  const world = await newWorld();
  expect(await statusOf(refusedUpgrade(socketAt(world), { Cookie: world.cookie() }))).toBe(403);
});

test.each(["same-site", "cross-site", "same-origin, cross-site"])(
  "a cookie counts for nothing where the browser says the request is %s",
  async (site) => {
    const world = await newWorld();
    const headers = { Cookie: world.cookie(), "Sec-Fetch-Site": site };
    expect(await statusOf(world.ask({ path: "/sessions/x", headers }))).toBe(403);
    expect(world.reached).toEqual([]);
  },
);

test("a cookie counts for what the server's own page reads, and changes if it says where it comes from", async () => {
  const world = await newWorld();
  const Cookie = world.cookie();
  for (const site of ["same-origin", "none", ""]) {
    expect(await statusOf(world.ask({ path: "/sessions/x", headers: { Cookie, "Sec-Fetch-Site": site } }))).toBe(200);
  }
  const prompt = { method: "POST", path: "/rpc", body: "{}" };
  expect(await statusOf(world.ask({ ...prompt, headers: { Cookie } }))).toBe(403);
  expect(await statusOf(world.ask({ ...prompt, headers: { Cookie, Origin: world.url } }))).toBe(200);
});

test("a cookie of another port, and one that is shadowed by another, change nothing", async () => {
  const world = await newWorld();
  const cookie = world.cookie();
  const elsewhere = cookie.replace(/^\w+/, "dragoman_1");
  const ask = (Cookie: string) => statusOf(world.ask({ path: "/sessions/x", headers: { Cookie } }));
  expect(await ask(elsewhere)).toBe(401);
  expect(await ask(`dragoman_${world.port}=made-up; theme=dark; ${cookie}`)).toBe(200);
  expect(await ask(`x${cookie}`)).toBe(401);
});

const strangers = [
  "evil.test",
  "evil.test:$",
  "127.0.0.1",
  "127.0.0.1:1",
  "127.0.0.1.evil.test:$",
  "localhost.:$",
  "127.0.0.2:$",
  "user@127.0.0.1:$",
  "127.0.0.1:$, evil.test",
  "0.0.0.0:$",
];

test.each(strangers)("Host: %s gets 403, whoever asks and for whatever", async (host) => {
  const world = await newWorld();
  const Host = host.replace("$", String(world.port));
  const brought: Record<string, string>[] = [
    {},
    { Authorization: `Bearer ${world.admin}` },
    { Cookie: world.cookie() },
  ];
  for (const headers of brought) {
    for (const path of ["/health", "/sessions/x", "/nothing"]) {
      expect(await statusOf(world.ask({ path, headers: { Host, ...headers } }))).toBe(403);
    }
    expect(await statusOf(refusedUpgrade(socketAt(world), { Host, ...headers }))).toBe(403);
  }
  expect(world.reached).toEqual([]);
});

test("its own names are its own in any case", async () => {
  const world = await newWorld();
  for (const host of ["127.0.0.1", "localhost", "LocalHost", "[::1]"]) {
    expect(await statusOf(world.ask({ path: "/health", headers: { Host: `${host}:${world.port}` } }))).toBe(200);
  }
});

test("a refused Host is told what to do", async () => {
  const world = await newWorld();
  const answer = await world.ask({ path: "/health", headers: { Host: "build.test" } });
  expect(JSON.parse(answer.body)).toEqual({
    error: {
      code: "forbidden",
      message:
        'This server is not known as "build.test". Use its own address, or start it with --allow-host and that name.',
    },
  });
});
