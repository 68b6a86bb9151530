import { describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { errorBody, errorBodyOf, errors } from "../dialects/operations/errors.ts";
import { type HttpWorld, httpWorlds } from "../testing/http-world.ts";
import { openSocket, refusedUpgrade } from "../testing/socket-server.ts";
import { authErrors } from "./auth-routes.ts";
import type { ErrorForm } from "./http/error-form.ts";

const worlds = httpWorlds();

const form: ErrorForm = {
  prefix: "/api/v1/",
  status: ({ code }) => errors[code].status,
  body: (error, requestId) => errorBodyOf(error, requestId, 0),
};
const newWorld = (wanted: Parameters<typeof worlds>[0] = {}) =>
  worlds({ errorBodies: [form, ...authErrors(form)], ...wanted });

const json = { "Content-Type": "application/json" };

async function post(world: HttpWorld, path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await world.ask({ method: "POST", path, headers: { ...json, ...headers }, body: text });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body) };
}

describe.each(["/auth/verify", "/api/v1/auth/verify"])("%s", (path) => {
  test("gives whoever brings a token a sign-in, and says who that is", async () => {
    const world = await newWorld();
    const token = await world.token("ci", "prompt");
    const { status, body } = await post(world, path, { token: ` ${token}\n`, scopes: ["repo", "read:user"] });
    expect([status, body]).toEqual([
      200,
      {
        valid: true,
        session_id: expect.stringMatching(/^sess_[\w-]{43}$/),
        user: { login: "ci", id: world.tokens.verify(token)?.caller.id, name: "ci", avatar_url: null },
        scopes_granted: ["prompt", "repo", "read:user"],
      },
    ]);
    const me = await world.askAs(body.session_id, { path: "/auth/me" });
    expect([me.status, JSON.parse(me.body)]).toEqual([200, { name: "ci", roles: ["prompt"] }]);
  });

  test("tells whose token is none that it is not valid", async () => {
    const world = await newWorld();
    const { status, headers, body } = await post(world, path, { token: `drg_${"x".repeat(43)}`, scopes: ["repo"] });
    expect([status, headers["www-authenticate"], body]).toEqual([
      401,
      "Bearer",
      { valid: false, error: expect.stringMatching(/^This token is not valid: /), required_scopes: ["repo"] },
    ]);
  });

  test.each<[string, unknown, number, string]>([
    ["no token", { scopes: [] }, 400, "INVALID_PARAMETERS"],
    ["a token that is no text", { token: 1 }, 400, "INVALID_PARAMETERS"],
    ["scopes that are no list", { token: "x", scopes: "repo" }, 400, "INVALID_PARAMETERS"],
    ["something in place of a scope", { token: "x", scopes: ["drg_Abc1"] }, 400, "INVALID_PARAMETERS"],
    ["far too many scopes", { token: "x", scopes: Array(21).fill("repo") }, 400, "INVALID_PARAMETERS"],
    ["no JSON", "drg_secret", 400, "INVALID_JSON"],
    ["a whole book", { token: "x".repeat(5000) }, 413, "TOO_LARGE"],
  ])("tells whoever sends %s what to send", async (_, sent, status, code) => {
    const world = await newWorld();
    const answer = await post(world, path, sent);
    expect([answer.status, errorBody.parse(answer.body).error.code]).toEqual([status, code]);
    expect(answer.body.error.request_id).toBe(answer.headers["x-request-id"]);
    expect(JSON.stringify(answer.body)).not.toContain("secret");
  });

  test("takes what is JSON by its type, from no other site, and by POST", async () => {
    const world = await newWorld();
    const sent = { token: world.admin };
    const asForm = await post(world, path, sent, { "Content-Type": "text/plain" });
    const elsewhere = await post(world, path, sent, { Origin: "https://evil.test" });
    const read = await world.ask({ path });
    expect([asForm.status, elsewhere.status, read.status]).toEqual([415, 403, 405]);
    expect([asForm, elsewhere].map(({ body }) => errorBody.parse(body).error.code)).toEqual([
      "INVALID_REQUEST",
      "FORBIDDEN",
    ]);
  });
});

describe("scopes", () => {
  const all = ["repo", "public_repo", "workflow", "read:user", "user", "user:email", "read:org"];
  const observing = ["observe", "read:user", "user", "user:email", "read:org"];

  test("are our roles, and those by which clients of GitHub ask for the same", async () => {
    const world = await newWorld();
    const granted: Record<string, string[]> = {};
    for (const role of ["observe", "prompt", "approve", "admin"] as const) {
      const token = await world.token(`a-${role}`, role);
      granted[role] = [];
      for (const scope of ["observe", "prompt", "approve", "admin", ...all]) {
        const { status } = await post(world, "/auth/verify", { token, scopes: [scope] });
        if (status === 200) granted[role].push(scope);
      }
    }
    expect(granted).toEqual({
      observe: observing,
      prompt: ["observe", "prompt", ...all],
      approve: ["observe", "approve", ...observing.slice(1)],
      admin: ["observe", "prompt", "approve", "admin", ...all],
    });
  });

  test.each([
    [["read:user", "repo"], 'The token "viewer" lacks roles: prompt for repo. Use another token, or make one.'],
    [["approve"], 'The token "viewer" lacks roles: approve. Use another token, or make one.'],
    [["gist"], expect.stringMatching(/^There is no scope gist here\. Ask for one of observe, /)],
    [["constructor"], expect.stringMatching(/^There is no scope constructor here\./)],
  ])("%j of a token that may only observe are refused", async (scopes, error) => {
    const world = await newWorld();
    const { status, body } = await post(world, "/auth/verify", {
      token: await world.token("viewer", "observe"),
      scopes,
    });
    expect([status, body]).toEqual([401, { valid: false, error, required_scopes: scopes }]);
  });
});

describe("whoever guesses", () => {
  const guess = { token: "drg_guess" };

  test("is told to wait after twenty times in a minute, and may go on then; a good token gets in all the while", async () => {
    const clock = new ManualClock();
    const world = await newWorld({ clock });
    for (let count = 0; count < 20; count++) {
      expect((await post(world, "/auth/verify", guess)).status).toBe(401);
      if (count === 0) clock.advance(10_000);
    }
    const late = await post(world, "/api/v1/auth/verify", guess);
    expect([late.status, late.headers["retry-after"], errorBody.parse(late.body).error.code]).toEqual([
      429,
      "50",
      "RATE_LIMITED",
    ]);
    expect((await post(world, "/auth/verify", { token: world.admin })).status).toBe(200);
    expect((await post(world, "/auth/verify", { token: world.admin, scopes: ["gist"] })).status).toBe(401);
    clock.advance(50_000);
    expect((await post(world, "/auth/verify", guess)).status).toBe(401);
    expect((await post(world, "/auth/verify", guess)).status).toBe(429);
  });
});

describe.each(["/auth/logout", "/api/v1/auth/logout"])("%s", (path) => {
  test("ends the sign-in that it is called with, its sockets close with 4401, and others stay", async () => {
    const world = await newWorld();
    const [ending, staying] = [await world.sessionId(), await world.sessionId()];
    const at = (signIn: string) => `${world.url.replace("http", "ws")}/ws?session_id=${signIn}`;
    const [closing, open] = [openSocket(at(ending)), openSocket(at(staying))];
    await Promise.all([closing.opened, open.opened]);
    const answer = await world.askAs(ending, { method: "POST", path });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { ok: true }]);
    expect(await closing.closed).toMatchObject({ code: 4401 });
    expect(open.socket.readyState).toBe(open.socket.OPEN);
    open.socket.terminate();
    expect(await refusedUpgrade(at(ending))).toMatchObject({ status: 401 });
    expect((await world.askAs(ending, { path: "/auth/me" })).status).toBe(401);
    expect((await world.askAs(staying, { path: "/auth/me" })).status).toBe(200);
    expect((await world.askAs(ending, { method: "POST", path })).status).toBe(401);
  });

  test("ends a page's sign-in for the server's own page only", async () => {
    const world = await newWorld();
    const Cookie = world.cookie();
    const asked = { method: "POST", path };
    expect((await world.ask({ ...asked, headers: { Cookie } })).status).toBe(403);
    expect((await world.ask({ ...asked, headers: { Cookie, Origin: "https://evil.test" } })).status).toBe(403);
    expect((await world.ask({ ...asked, headers: { Cookie, Origin: world.url } })).status).toBe(200);
    expect((await world.ask({ path: "/auth/me", headers: { Cookie } })).status).toBe(401);
  });

  test("ends the one that is named, if it goes back to the caller's token", async () => {
    const world = await newWorld();
    const token = await world.token("ci", "observe");
    const [own, others] = [await world.sessionId(token), await world.sessionId()];
    const logOut = (session_id: unknown) =>
      post(world, path, { session_id }, { Authorization: `Bearer ${token}` }).then(({ status }) => status);
    expect([await logOut(others), await logOut("sess_no"), await logOut(1)]).toEqual([404, 404, 400]);
    expect([await logOut(own), await logOut(own)]).toEqual([200, 404]);
    expect((await world.askAs(own, { path: "/auth/me" })).status).toBe(401);
    expect((await world.askAs(others, { path: "/auth/me" })).status).toBe(200);
  });

  test("does not end a token, and says how that is done", async () => {
    const world = await newWorld();
    const answer = await world.askAs(world.admin, { method: "POST", path });
    expect([answer.status, errorBody.parse(JSON.parse(answer.body)).error]).toMatchObject([
      400,
      { code: "INVALID_PARAMETERS", message: expect.stringContaining("dragoman token revoke") },
    ]);
    expect((await world.askAs(world.admin, { path: "/auth/me" })).status).toBe(200);
  });
});

test("below the prefix every refusal of the gate has the protocol's form, elsewhere none has", async () => {
  const world = await newWorld();
  const auth = { Authorization: `Bearer ${world.admin}` };
  const asked = [
    world.ask({ path: "/api/v1/nothing" }),
    world.ask({ path: "/api/v1/nothing", headers: auth }),
    world.ask({ path: "/api/v1/auth/logout", headers: auth }),
    world.ask({ path: "/api/v1/nothing", headers: { Host: "evil.test" } }),
    world.ask({ path: "/api/v1/x?token=y" }),
  ];
  const answers = await Promise.all(asked);
  expect(answers.map(({ status, body }) => [status, errorBody.parse(JSON.parse(body)).error.code])).toEqual([
    [401, "UNAUTHORIZED"],
    [404, "NOT_FOUND"],
    [405, "NOT_FOUND"],
    [403, "FORBIDDEN"],
    [400, "INVALID_REQUEST"],
  ]);
  for (const { headers, body } of answers) expect(JSON.parse(body).error.request_id).toBe(headers["x-request-id"]);
  const upgrade = await refusedUpgrade(`${world.url.replace("http", "ws")}/api/v1/ws`);
  expect([upgrade.status, errorBody.parse(upgrade.body).error.code]).toEqual([401, "UNAUTHORIZED"]);
  expect(upgrade.head).toContain(`X-Request-Id: ${upgrade.body.error.request_id}`);
  const usual = await world.ask({ path: "/rpc" });
  expect(JSON.parse(usual.body)).toEqual({ error: { code: "unauthorized", message: expect.any(String) } });
  expect(usual.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});
