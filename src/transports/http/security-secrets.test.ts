import { expect, test } from "vitest";
import { brokenRoute, type HttpWorld, httpWorlds } from "../../testing/http-world.ts";
import { openSocket, refusedUpgrade } from "../../testing/socket-server.ts";

const newWorld = httpWorlds();

const inUrl = [
  "/sessions/x?token=$",
  "/sessions/x?access_token=$",
  "/sessions/x?a=1&TOKEN=$",
  "/sessions/x?q=$",
  "/sessions/x?$",
  "/sessions/$",
  "/$",
  "/sessions/x?q=%64rg_abc",
  "/sessions/%64%72%67_abc",
  "/stream/x?ticket=$",
  "/health?token=whatever",
  "/sign-in?code=$",
];

test.each(inUrl)("%s is refused with 400, valid token or not, and whatever else was brought", async (path) => {
  const world = await newWorld();
  const url = path.replace("$", world.admin);
  for (const headers of [{}, { Authorization: `Bearer ${world.admin}` }] as Record<string, string>[]) {
    const answer = await world.ask({ path: url, headers });
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([
      400,
      { code: "invalid_request", message: expect.stringMatching(/^A token does not belong in a URL.*token rotate/) },
    ]);
  }
  expect(await refusedUpgrade(`${world.url.replace("http", "ws")}/ui?token=${world.admin}`)).toMatchObject({
    status: 400,
  });
  expect(world.reached).toEqual([]);
});

test("a session whose name only looks a little like a token is none", async () => {
  const world = await newWorld();
  const answer = await world.askAs(world.admin, { path: "/sessions/x-drg_1?q=adrg_&tokens=3" });
  expect(answer.status).toBe(200);
});

/** Everything that one can do with a token, rightly and wrongly, and what is answered to it. */
async function useEverywhere(world: HttpWorld, token: string): Promise<object[]> {
  const Authorization = `Bearer ${token}`;
  const json = { "Content-Type": "application/json" };
  const signIn = { method: "POST", path: "/auth/sign-in", headers: json };
  const socketUrl = `${world.url.replace("http", "ws")}/ui`;
  const socket = openSocket(socketUrl, { headers: { Authorization } });
  await socket.opened;
  socket.socket.close();
  await socket.closed;
  return Promise.all([
    world.askAs(token, { path: "/sessions/x" }),
    world.askAs(`${token}x`, { path: "/sessions/x" }),
    world.askAs(token, { path: "/broken" }),
    world.askAs(token, { path: "/nothing", headers: { Origin: token } }),
    world.ask({ path: "/health", headers: { Host: token } }),
    world.ask({ path: "/health", headers: { "User-Agent": token, Referer: token, Cookie: `a=${token}` } }),
    world.ask({ ...signIn, body: JSON.stringify({ token }) }),
    world.ask({ ...signIn, body: JSON.stringify({ token: `${token}x` }) }),
    world.ask({ ...signIn, body: JSON.stringify([token]) }),
    ...[token, `{"token": ${token}}`, `{"token": "${token}`, `${"[".repeat(65)}"${token}"`].map((body) =>
      world.ask({ ...signIn, body }),
    ),
    world.ask({ ...signIn, headers: {}, body: token }),
    world.ask({ method: "POST", path: "/rpc", headers: { Authorization: token }, body: token }),
    world.ask(`GET /${token} HTTP/1.1\r\nAuthorization: ${token}\r\n: ${token}\r\n\r\n`),
    world.ask(`${token}\r\n\r\n`),
    ...inUrl.map((path) => world.ask({ path: path.replace("$", token), headers: { Authorization } })),
    refusedUpgrade(`${socketUrl}?ticket=${token}`),
    world.askAs(token, { path: "/metrics" }),
  ]);
}

test("a token is found in no log line, no number and no answer, whatever is done with it", async () => {
  const world = await newWorld({ moreRoutes: [brokenRoute] });
  const token = await world.token("canary", "admin");
  const answers = (await useEverywhere(world, token)).map((answer) => JSON.stringify(answer));
  // What a protocol says of what someone known sent to it may quote that: it is in no log either.
  await world.askAs(token, { method: "POST", path: "/rpc", body: token });
  const lines = world.logged.map((entry) => JSON.stringify(entry));
  expect(lines.length).toBeGreaterThan(20);
  expect(world.reached).toEqual(expect.arrayContaining(["GET /sessions/:id", "POST /rpc", "/ui"]));
  const secret = token.slice("drg_".length, 10);
  expect([...lines, ...answers, world.metrics.text()].filter((text) => text.includes(secret))).toEqual([]);
});

test("what is no JSON is not quoted to whoever signs in", async () => {
  const world = await newWorld();
  const headers = { "Content-Type": "application/json" };
  const { status, body } = await world.ask({ method: "POST", path: "/auth/sign-in", headers, body: world.admin });
  expect([status, JSON.parse(body)]).toEqual([
    400,
    { error: { code: "parse_error", message: expect.stringMatching(/^This is no JSON that can be read\. Send/) } },
  ]);
});

test("neither does the log have a sign-in's code, ticket or cookie, nor any URL", async () => {
  const world = await newWorld();
  const link = JSON.parse((await world.askAs(world.admin, { method: "POST", path: "/auth/links" })).body).url;
  const code = new URL(link).searchParams.get("code") ?? "";
  const { headers } = await world.ask({ path: `/sign-in?code=${code}` });
  const cookie = /=([^;]+)/.exec(headers["set-cookie"] ?? "")?.[1] ?? "";
  await world.ask({ path: "/sessions/named-in-the-url?q=asked", headers: { Cookie: headers["set-cookie"] ?? "" } });
  const { ticket } = JSON.parse((await world.askAs(world.admin, { method: "POST", path: "/auth/tickets" })).body);
  await world.ask({ path: `/nothing?ticket=${ticket}` });
  const log = JSON.stringify(world.logged);
  for (const secret of [code, cookie, ticket, "named-in-the-url", "asked"]) {
    expect(secret.length).toBeGreaterThan(4);
    expect(log).not.toContain(secret);
  }
});

test("a fault of ours is told by a reference that the log has, and by nothing else", async () => {
  const world = await newWorld({
    routes: [
      { method: "GET", path: "/broken", access: "observe", handle: () => Promise.reject(new Error("in /some/folder")) },
    ],
  });
  const answer = await world.askAs(world.admin, { path: "/broken" });
  const { error } = JSON.parse(answer.body);
  const [fault] = world.logged.filter(({ level }) => level === "error");
  expect([answer.status, error]).toEqual([
    500,
    {
      code: "internal",
      message: `Something went wrong here that is not your fault. The server's log says more about it, under ${fault?.reference}.`,
    },
  ]);
  expect(fault).toEqual({
    level: "error",
    event: "http.failed",
    route: "/broken",
    reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
    error: expect.stringContaining("in /some/folder"),
  });
});

test("what is answered is logged by route, status and caller; what went well only at debug", async () => {
  const world = await newWorld();
  await world.askAs(world.admin, { path: "/sessions/x?q=1" });
  const refused = await world.ask({ path: "/sessions/x" });
  expect(world.logged.filter(({ event }) => event === "http.answered")).toEqual([
    {
      level: "debug",
      event: "http.answered",
      method: "GET",
      route: "/sessions/:id",
      status: 200,
      ms: expect.any(Number),
      caller: "admin",
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
    {
      level: "info",
      event: "http.answered",
      method: "GET",
      route: "/sessions/:id",
      status: 401,
      ms: expect.any(Number),
      requestId: refused.headers["x-request-id"],
    },
  ]);
});
