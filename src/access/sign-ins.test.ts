import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { type Grant, newEnd } from "./grant.ts";
import { SignIns } from "./sign-ins.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let clock = new ManualClock();
let signIns = new SignIns({ clock });

beforeEach(() => {
  clock = new ManualClock();
  signIns = new SignIns({ clock });
});

function tokenOf(name: string) {
  const end = newEnd();
  const grant: Grant = { caller: { id: `id of ${name}`, name, roles: ["observe"] }, revoked: end.signal };
  return { grant, revoke: () => end.abort(new DragomanError("unauthorized", "void")) };
}

describe("a link", () => {
  test("signs in once", () => {
    const { grant } = tokenOf("ada");
    const code = signIns.newLink(grant);
    expect(code).toMatch(/^[\w-]{43}$/);
    const cookie = signIns.redeem(code) ?? "";
    expect(signIns.grantOf(cookie)?.caller).toEqual(grant.caller);
    expect(signIns.redeem(code)).toBeUndefined();
    expect(signIns.grantOf(code)).toBeUndefined();
    expect(signIns.redeem(cookie)).toBeUndefined();
  });

  test("is good for ten minutes", () => {
    const { grant } = tokenOf("ada");
    const [soon, late] = [signIns.newLink(grant), signIns.newLink(grant)];
    clock.advance(10 * MINUTE - 1);
    expect(signIns.redeem(soon)).toEqual(expect.any(String));
    clock.advance(1);
    expect(signIns.redeem(late)).toBeUndefined();
  });

  test("is void when the token is", () => {
    const { grant, revoke } = tokenOf("ada");
    const code = signIns.newLink(grant);
    revoke();
    expect(signIns.redeem(code)).toBeUndefined();
    expect(signIns.redeem(signIns.newLink(grant))).toBeUndefined();
  });

  test("that was made by someone signed in does not end with that sign-in", () => {
    const { grant, revoke } = tokenOf("ada");
    const first = signIns.begin(grant);
    const second = signIns.redeem(signIns.newLink(signIns.grantOf(first) as Grant)) ?? "";
    const open = signIns.grantOf(second);
    signIns.end(first);
    expect(open?.revoked.aborted).toBe(false);
    expect(signIns.grantOf(second)).toBe(open);
    revoke();
    expect(open?.revoked.aborted).toBe(true);
  });
});

describe("a sign-in", () => {
  test("lasts for a day, and what is open with it ends then", () => {
    const { grant } = tokenOf("ada");
    const cookie = signIns.begin(grant);
    const signedIn = signIns.grantOf(cookie);
    clock.advance(DAY - 1);
    expect(signIns.grantOf(cookie)).toBe(signedIn);
    clock.advance(1);
    expect(signIns.grantOf(cookie)).toBeUndefined();
    expect(signedIn?.revoked.reason).toMatchObject({
      code: "unauthorized",
      message: "This sign-in has ended. Sign in anew.",
    });
    expect(grant.revoked.aborted).toBe(false);
  });

  test("is over by the clock also where its timer is late", () => {
    const cookie = signIns.begin(tokenOf("ada").grant);
    const signedIn = signIns.grantOf(cookie);
    clock.set(clock.now() + 30 * DAY);
    expect(signIns.grantOf(cookie)).toBeUndefined();
    expect(signedIn?.revoked.aborted).toBe(true);
  });

  test("ends by itself, and no other does", () => {
    const { grant } = tokenOf("ada");
    const [one, other] = [signIns.begin(grant), signIns.begin(grant)];
    const [ending, staying] = [signIns.grantOf(one), signIns.grantOf(other)];
    signIns.end(one);
    signIns.end(one);
    signIns.end("unknown");
    expect([ending?.revoked.aborted, staying?.revoked.aborted, grant.revoked.aborted]).toEqual([true, false, false]);
    expect([signIns.grantOf(one), signIns.grantOf(other)]).toEqual([undefined, staying]);
  });

  test("ends with its token, for the same reason", () => {
    const { grant, revoke } = tokenOf("ada");
    const cookie = signIns.begin(grant);
    const signedIn = signIns.grantOf(cookie);
    revoke();
    expect(signedIn?.revoked.reason).toBe(grant.revoked.reason);
    expect(signIns.grantOf(cookie)).toBeUndefined();
    expect(signIns.grantOf(signIns.begin(grant))).toBeUndefined();
  });

  test("can have any number of things open", async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on("warning", warned);
    const { grant } = tokenOf("ada");
    const signedIn = signIns.grantOf(signIns.begin(grant)) as Grant;
    for (const { revoked } of [grant, signedIn]) {
      for (let count = 0; count < 100; count++) revoked.addEventListener("abort", () => {});
    }
    await nextTurn();
    process.off("warning", warned);
    expect(warnings).toEqual([]);
  });
});

describe("a ticket", () => {
  test("is good once, for thirty seconds, and for nothing else", () => {
    const { grant } = tokenOf("ada");
    const [one, late] = [signIns.newTicket(grant), signIns.newTicket(grant)];
    expect([signIns.grantOf(one), signIns.redeem(one)]).toEqual([undefined, undefined]);
    clock.advance(30 * SECOND - 1);
    expect(signIns.takeTicket(one)).toBe(grant);
    expect(signIns.takeTicket(one)).toBeUndefined();
    clock.advance(1);
    expect(signIns.takeTicket(late)).toBeUndefined();
  });

  test("ends with the sign-in of whoever asked for it, as does what it opened", () => {
    const { grant } = tokenOf("ada");
    const cookie = signIns.begin(grant);
    const signedIn = signIns.grantOf(cookie) as Grant;
    const [used, unused] = [signIns.newTicket(signedIn), signIns.newTicket(signedIn)];
    const opened = signIns.takeTicket(used);
    signIns.end(cookie);
    expect(opened?.revoked.aborted).toBe(true);
    expect(signIns.takeTicket(unused)).toBeUndefined();
  });
});

describe("of each kind there are a thousand at the most", () => {
  test("the oldest go first, and what is open with them ends", () => {
    const { grant } = tokenOf("ada");
    const cookies = Array.from({ length: 1000 }, () => signIns.begin(grant));
    const grants = cookies.map((cookie) => signIns.grantOf(cookie));
    for (let more = 0; more < 3; more++) signIns.begin(grant);
    expect(cookies.map((cookie) => signIns.grantOf(cookie))).toEqual([
      undefined,
      undefined,
      undefined,
      ...grants.slice(3),
    ]);
    expect(grants.slice(0, 4).map((one) => one?.revoked.aborted)).toEqual([true, true, true, false]);

    const links = Array.from({ length: 1001 }, () => signIns.newLink(grant));
    expect(links.slice(0, 2).map((code) => signIns.redeem(code))).toEqual([undefined, expect.any(String)]);
    const tickets = Array.from({ length: 1001 }, () => signIns.newTicket(grant));
    expect(tickets.slice(0, 2).map((ticket) => signIns.takeTicket(ticket))).toEqual([undefined, grant]);
  });

  test("nobody pushes out the others", () => {
    const [ada, eve] = [tokenOf("ada").grant, tokenOf("eve").grant];
    const first = signIns.begin(ada);
    const second = signIns.begin(eve);
    for (let more = 0; more < 2000; more++) signIns.begin(eve);
    expect(signIns.grantOf(first)?.caller).toEqual(ada.caller);
    expect(signIns.grantOf(second)).toBeUndefined();
  });
});
