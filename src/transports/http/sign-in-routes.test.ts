import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";

const newWorld = httpWorlds();

const json = { "Content-Type": "application/json" };
const signIn = (world: HttpWorld, body: string, headers: Record<string, string> = json) =>
  world.ask({ method: "POST", path: "/auth/sign-in", headers, body });
const pathOf = (url: string) => url.slice(new URL(url).origin.length);

async function newLink(world: HttpWorld): Promise<string> {
  const { body } = await world.askAs(world.admin, { method: "POST", path: "/auth/links" });
  return pathOf(JSON.parse(body).url);
}

test("a link signs a browser in once, with a cookie that scripts and other sites do not get", async () => {
  const world = await newWorld();
  const link = await newLink(world);
  const first = await world.ask({ path: link });
  expect([first.status, first.headers.location, first.body]).toEqual([303, "/", ""]);
  expect(first.headers["set-cookie"]).toMatch(
    new RegExp(`^dragoman_${world.port}=[\\w-]{20,}; HttpOnly; SameSite=Strict; Path=/; Max-Age=86400$`),
  );
  const Cookie = (first.headers["set-cookie"] ?? "").split(";")[0] ?? "";
  const me = await world.ask({ path: "/auth/me", headers: { Cookie } });
  expect(JSON.parse(me.body)).toEqual({ name: "admin", roles: ["admin"] });
  const second = await world.ask({ path: link });
  expect([second.status, second.headers["set-cookie"]]).toEqual([401, undefined]);
});

test("who follows an old link is told how to get a new one, who is signed in already goes on", async () => {
  const world = await newWorld();
  const link = await newLink(world);
  const first = await world.ask({ path: link });
  const again = await world.ask({ path: link });
  expect(again.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(again.body).toContain("dragoman token link");
  const Cookie = (first.headers["set-cookie"] ?? "").split(";")[0] ?? "";
  const signedIn = await world.ask({ path: link, headers: { Cookie } });
  expect([signedIn.status, signedIn.headers.location]).toEqual([303, "/"]);
});

test("a link leads to a page of ours that it names, and to nothing else", async () => {
  const world = await newWorld();
  const leads = async (to: string) => (await world.ask({ path: `${await newLink(world)}&to=${to}` })).headers.location;
  expect(await leads("preview")).toBe("/preview");
  const others = ["https://evil.test", "//evil.test", "/ui", "preview/../x", "preview%0d%0aX:y", "constructor", ""];
  for (const to of others) expect([to, await leads(to)]).toEqual([to, "/"]);
});

test("a link is good for ten minutes, and leads to the name under which it was asked for", async () => {
  const clock = new ManualClock();
  const world = await newWorld({ clock });
  const asked = { method: "POST", path: "/auth/links", headers: { Host: `localhost:${world.port}` } };
  const { url, expiresInSeconds } = JSON.parse((await world.askAs(world.admin, asked)).body);
  expect([url, expiresInSeconds]).toEqual([
    expect.stringMatching(new RegExp(`^http://localhost:${world.port}/sign-in\\?code=[\\w-]+$`)),
    600,
  ]);
  clock.advance(600_001);
  expect((await world.ask({ path: pathOf(url) })).status).toBe(401);
});

test("a pasted token signs in", async () => {
  const world = await newWorld();
  const token = await world.token("viewer", "observe");
  const answer = await signIn(world, JSON.stringify({ token: ` ${token}\n` }));
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { name: "viewer", roles: ["observe"] }]);
  expect(answer.headers["set-cookie"]).toContain(`dragoman_${world.port}=`);
});

test.each([
  ["no token at all", "{}", 400, "invalid_params"],
  ["something else than a text", '{"token":1}', 400, "invalid_params"],
  ["no JSON", "drg_", 400, "parse_error"],
  ["a token that is none", '{"token":"drg_no"}', 401, "unauthorized"],
  ["a whole book", JSON.stringify({ token: "x".repeat(5000) }), 413, "too_large"],
])("who pastes %s is told so", async (_, body, status, code) => {
  const world = await newWorld();
  const answer = await signIn(world, body);
  expect([answer.status, JSON.parse(answer.body).error.code, answer.headers["set-cookie"]]).toEqual([
    status,
    code,
    undefined,
  ]);
});

test("what a form of another page could send does not sign in", async () => {
  const world = await newWorld();
  const body = JSON.stringify({ token: world.admin });
  expect((await signIn(world, body, { "Content-Type": "text/plain" })).status).toBe(415);
  expect((await signIn(world, body, {})).status).toBe(415);
  expect((await signIn(world, body, { ...json, Origin: "https://evil.test" })).status).toBe(403);
});

test("who signs out loses its cookie; a token stays what it is", async () => {
  const world = await newWorld();
  const Cookie = world.cookie();
  const headers = { Cookie, Origin: world.url };
  const out = await world.ask({ method: "POST", path: "/auth/sign-out", headers });
  expect([out.status, out.headers["set-cookie"]]).toEqual([
    204,
    `dragoman_${world.port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`,
  ]);
  expect((await world.ask({ path: "/auth/me", headers: { Cookie } })).status).toBe(401);
  expect((await world.askAs(world.admin, { method: "POST", path: "/auth/sign-out" })).status).toBe(204);
  expect((await world.askAs(world.admin, { path: "/auth/me" })).status).toBe(200);
});

test("a ticket opens one stream within 30 seconds", async () => {
  const clock = new ManualClock();
  const world = await newWorld({ clock });
  const newTicket = async () =>
    JSON.parse((await world.askAs(world.admin, { method: "POST", path: "/auth/tickets" })).body);
  const { ticket, expiresInSeconds } = await newTicket();
  expect(expiresInSeconds).toBe(30);
  await world.ask({ method: "HEAD", path: `/stream/x?ticket=${ticket}` }); // uses nothing up
  const stream = world.connect().send({ path: `/stream/x?ticket=${ticket}` });
  await stream.answerBegun();
  expect(stream.unread).toMatch(/^HTTP\/1\.1 200 /);
  expect((await world.ask({ path: `/stream/x?ticket=${ticket}` })).status).toBe(401);
  const { ticket: late } = await newTicket();
  clock.advance(30_001);
  expect((await world.ask({ path: `/stream/x?ticket=${late}` })).status).toBe(401);
});
