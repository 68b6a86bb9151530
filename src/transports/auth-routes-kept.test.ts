import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SignIns } from "../access/sign-ins.ts";
import { withLock } from "../config/record-lock.ts";
import { ManualClock } from "../core/clock.ts";
import { errorBodyOf, errors } from "../dialects/operations/errors.ts";
import { type HttpWorld, httpWorlds } from "../testing/http-world.ts";
import { authErrors } from "./auth-routes.ts";
import type { ErrorForm } from "./http/error-form.ts";

const worlds = httpWorlds();
const form: ErrorForm = {
  prefix: "/api/v1/",
  status: ({ code }) => errors[code].status,
  body: (error, requestId) => errorBodyOf(error, requestId, 0),
};
const newWorld = (clock?: ManualClock) => worlds({ clock, errorBodies: [form, ...authErrors(form)] });

const json = { "Content-Type": "application/json" };
const homeOf = ({ tokens }: HttpWorld) => dirname(tokens.tokenFile);
const lockOf = (world: HttpWorld) => join(homeOf(world), "sign-ins-lock.db");

/** What the next process would know. */
function nextSignIns(world: HttpWorld, clock?: ManualClock): SignIns {
  const { tokens } = world;
  const signIns = new SignIns({ clock, keptIn: { home: homeOf(world), tokens } });
  onTestFinished(() => signIns.close());
  return signIns;
}

/** By the cookie in the answer, or by the session_id in its body. */
function isGood(signIns: SignIns, { headers, body }: { headers: Record<string, string>; body: string }): boolean {
  const cookie = /=([^;]+)/.exec(headers["set-cookie"] ?? "")?.[1];
  const grant = cookie ? signIns.grantOf(cookie) : signIns.programGrantOf(JSON.parse(body).session_id);
  return grant !== undefined;
}

describe("a sign-in is on disk before it is answered:", () => {
  const posted =
    (path: string) =>
    ({ admin }: HttpWorld) => ({ method: "POST", path, headers: json, body: JSON.stringify({ token: admin }) });
  const linked = ({ tokens, signIns, admin }: HttpWorld) => {
    const grant = tokens.verify(admin);
    return { path: `/sign-in?code=${grant && signIns.newLink(grant)}` };
  };

  test.each([
    ["of a program", posted("/auth/verify")],
    ["of a page by its token", posted("/auth/sign-in")],
    ["of a page by a link", linked],
  ])("%s", async (_, asked) => {
    const world = await newWorld();
    let letGo = () => {};
    const held = withLock(
      lockOf(world),
      () =>
        new Promise<void>((resolve) => {
          letGo = resolve;
        }),
    );
    const isKept = world.ask(asked(world)).then((answer) => isGood(nextSignIns(world), answer));
    for (let count = 0; count < 5; count++) await world.ask({ path: "/health" }); // it would be answered by now
    letGo();
    await held;
    expect(await isKept).toBe(true);
  });
});

describe("a logout that cannot be written down is told, holds here, and is tried again:", () => {
  const spoil = (world: HttpWorld) =>
    writeFileSync(lockOf(world), "this is no lock of ours, and long enough to be looked at as a database");

  test.each(["/auth/logout", "/api/v1/auth/logout", "/auth/sign-out"])("%s", async (path) => {
    const clock = new ManualClock();
    const world = await newWorld(clock);
    const signIn = await world.sessionId();
    const isGoodNext = () => nextSignIns(world, clock).programGrantOf(signIn) !== undefined;
    spoil(world);
    const answer = await world.askAs(signIn, { method: "POST", path });
    const { error } = JSON.parse(answer.body);
    expect([answer.status, error.code.toUpperCase(), error.message]).toEqual([
      500,
      "STORE_FAILED",
      "You are signed out here, but that could not be written down yet: see the log. The server tries again every second.",
    ]);
    expect((await world.askAs(signIn, { path: "/auth/me" })).status).toBe(401);
    expect(isGoodNext()).toBe(true);
    rmSync(lockOf(world));
    clock.advance(1000);
    expect(await world.signIns.saved()).toBe(true);
    expect(isGoodNext()).toBe(false);
  });
});
