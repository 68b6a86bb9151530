import { createHash, createHmac } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { TokenBook } from "./token-book.ts";

const folder = temporaryFolder();
const open: TokenBook[] = [];
let home = "";
let clock = new ManualClock();

beforeEach(() => {
  home = folder.newPath();
  clock = new ManualClock();
});
afterEach(() => {
  for (const book of open.splice(0)) book.close();
});

async function openBook() {
  const opened = await TokenBook.open(home, clock);
  open.push(opened.book);
  return opened;
}

async function firstBook() {
  const { book, firstToken = "" } = await openBook();
  return { book, admin: firstToken };
}

const file = (name: string) => join(home, name);
const textOf = (name: string) => readFileSync(file(name), "utf8");
const recordsOf = () => JSON.parse(textOf("tokens.json")).tokens;

async function failure(work: Promise<unknown>): Promise<Pick<DragomanError, "code" | "message">> {
  const error = await work.catch((error: unknown) => error);
  if (!(error instanceof DragomanError)) throw new Error("it did not fail");
  return { code: error.code, message: error.message };
}

test("each token is told once to whoever keeps secrets out of what is written, when it is first shown", async () => {
  const { book, firstToken = "" } = await TokenBook.open(folder.newPath());
  const { token } = await book.create({ name: "viewer", roles: ["observe"] });
  const shown: string[] = [];
  book.onShown = (text) => void shown.push(text);
  for (const text of [firstToken, token, firstToken, "drg_wrong", token]) book.verify(text);
  expect(shown).toEqual([firstToken, token]);
  book.close();
});

describe("the admin token", () => {
  test("is made at the first start, for its owner alone, and told that once", async () => {
    const { book, admin } = await firstBook();
    expect(admin).toMatch(/^drg_[\w-]{43}$/);
    expect(book.tokenFile).toBe(file("token"));
    expect(textOf("token")).toBe(`${admin}\n`);
    expect(book.verify(admin)?.caller).toEqual({ id: expect.any(String), name: "admin", roles: ["admin"] });
    const modes = ["", "token", "tokens.json", "tokens-lock.db"].map((name) => statSync(file(name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
    expect(await openBook()).toEqual({ book: expect.any(TokenBook) });
    expect(textOf("token")).toBe(`${admin}\n`);
  });

  test("cannot be revoked, also when there are other admins", async () => {
    const { book, admin } = await firstBook();
    await book.create({ name: "second", roles: ["admin"] });
    expect(await failure(book.revoke("admin"))).toEqual({
      code: "precondition_failed",
      message:
        'Without the token "admin" nobody could come in. To have another one in its place: dragoman token rotate admin',
    });
    expect(book.verify(admin)?.caller.name).toBe("admin");
  });

  test("is rotated in its file too", async () => {
    const { book, admin } = await firstBook();
    const { token } = await book.rotate("admin");
    expect(textOf("token")).toBe(`${token}\n`);
    expect([admin, token].map((one) => book.verify(one)?.caller.name)).toEqual([undefined, "admin"]);
    expect(await openBook()).toEqual({ book: expect.any(TokenBook) });
  });

  test.each<[string, () => void]>([
    ["is lost", () => rmSync(file("token"))],
    ["has another", () => writeFileSync(file("token"), "drg_old\n")],
  ])("is made anew at the next start when its file %s, as after a crash in a rotation", async (_, damage) => {
    const { book, admin } = await firstBook();
    const { token: other } = await book.create({ name: "ci", roles: ["observe"] });
    const [before] = book.list();
    damage();
    const { firstToken = "" } = await openBook();
    expect(textOf("token")).toBe(`${firstToken}\n`);
    expect([admin, firstToken, other].map((one) => book.verify(one)?.caller.name)).toEqual([undefined, "admin", "ci"]);
    expect(book.list()[0]).toEqual(before);
  });
});

describe("a token", () => {
  test("is known by its text, of which nothing is kept", async () => {
    const { book, admin } = await firstBook();
    const { info, token } = await book.create({ name: "my ci", roles: ["prompt", "observe", "prompt"] });
    const createdAt = "2026-01-01T00:00:00.000Z";
    expect(info).toEqual({ id: info.id, name: "my ci", roles: ["observe", "prompt"], createdAt });
    expect(book.verify(token)).toEqual({
      caller: { id: info.id, name: "my ci", roles: ["observe", "prompt"] },
      revoked: expect.any(AbortSignal),
    });
    const sha256 = createHash("sha256").update(token).digest("hex");
    const callbackKey = createHmac("sha256", token).update("dragoman tool-callback v1").digest();
    expect(recordsOf()[1]).toEqual({ ...info, sha256, callbackKey: callbackKey.toString("base64url") });
    expect(book.callbackKey(info.id)).toEqual(callbackKey);
    expect(book.list()).toEqual([expect.objectContaining({ name: "admin" }), info]);
    for (const name of readdirSync(home).filter((one) => one !== "token")) {
      for (const secret of [admin, token]) expect(textOf(name)).not.toContain(secret.slice(4));
    }
  });

  test("is known as a whole only", async () => {
    const { book, admin } = await firstBook();
    const others = [
      "",
      "drg_",
      admin.slice(0, -1),
      `${admin}x`,
      ` ${admin}`,
      admin.toLowerCase(),
      recordsOf()[0].sha256,
    ];
    expect(others.map((one) => book.verify(one))).toEqual(others.map(() => undefined));
    expect(book.callbackKey("admin")).toBeUndefined();
  });

  test("has one grant, which ends when it is revoked, by its name or its id", async () => {
    const { book } = await firstBook();
    for (const by of ["name", "id"] as const) {
      const { info, token } = await book.create({ name: "ci", roles: ["observe"] });
      const grant = book.verify(token);
      expect(book.verify(token)).toBe(grant);
      expect(await book.revoke(info[by])).toEqual(info);
      expect(grant?.revoked.reason).toMatchObject({ code: "unauthorized" });
      expect(book.verify(token)).toBeUndefined();
      expect(book.callbackKey(info.id)).toBeUndefined();
    }
    expect(book.list().map(({ name }) => name)).toEqual(["admin"]);
  });

  test("keeps its name, id and expiry when it is rotated, and the old text and all that is open with it end", async () => {
    const { book } = await firstBook();
    const expiresAt = "2026-02-01T00:00:00.000Z";
    const { info, token } = await book.create({ name: "ci", roles: ["observe"], expiresAt });
    const { info: bystander, token: other } = await book.create({ name: "other", roles: ["observe"] });
    const [grant, kept] = [book.verify(token), book.verify(other)];
    const key = book.callbackKey(info.id);
    const rotated = await book.rotate("ci");
    expect(rotated.info).toEqual(info);
    expect(grant?.revoked.aborted).toBe(true);
    expect(book.verify(token)).toBeUndefined();
    expect(book.verify(rotated.token)?.revoked.aborted).toBe(false);
    expect(book.callbackKey(info.id)).not.toEqual(key);
    expect(kept?.revoked.aborted).toBe(false);
    expect(book.verify(other)?.caller.id).toBe(bystander.id);
  });

  test("is good until it expires, and what is open with it ends then", async () => {
    const { book } = await firstBook();
    const expiresAt = new Date(clock.now() + 10_000).toISOString();
    const { info, token } = await book.create({ name: "ci", roles: ["observe"], expiresAt });
    const grant = book.verify(token);
    clock.advance(9999);
    expect(book.verify(token)).toBe(grant);
    expect(grant?.revoked.aborted).toBe(false);
    clock.advance(1);
    expect(book.verify(token)).toBeUndefined();
    expect(book.callbackKey(info.id)).toBeUndefined();
    expect(grant?.revoked.aborted).toBe(true);
    expect(await failure(book.rotate("ci"))).toEqual({
      code: "precondition_failed",
      message: 'The token "ci" has expired. Revoke it, and make another one: dragoman token create',
    });
    await book.revoke("ci");
  });

  test.each<[string, Parameters<TokenBook["create"]>[0], string]>([
    ["no name", { name: "", roles: ["observe"] }, "The name of a token is"],
    ["a name that a terminal would obey", { name: "a\u001b[2J", roles: ["observe"] }, "The name of a token is"],
    ["a name that an option looks like", { name: "-rf", roles: ["observe"] }, "The name of a token is"],
    ["a token for a name", { name: `drg_${"x".repeat(43)}`, roles: ["observe"] }, "The name of a token is"],
    ["too long a name", { name: "x".repeat(65), roles: ["observe"] }, "The name of a token is"],
    ["no role", { name: "x", roles: [] }, "A token has at least one of the roles"],
    [
      "an expiry that is over",
      { name: "x", roles: ["observe"], expiresAt: "2025-12-31T23:59:59Z" },
      "A token expires in",
    ],
    ["an expiry that is none", { name: "x", roles: ["observe"], expiresAt: "soon" }, "A token expires in"],
  ])("is not made with %s", async (_, wanted, message) => {
    const { book } = await firstBook();
    const refused = await failure(book.create(wanted));
    expect(refused).toEqual({ code: "invalid_params", message: expect.stringContaining(message) });
    expect(refused.message).not.toContain("drg_");
    expect(book.list()).toHaveLength(1);
  });

  test("is not made under a name that is taken, and not changed under one that is not there", async () => {
    const { book, admin } = await firstBook();
    const [{ id = "" } = {}] = book.list();
    for (const name of ["admin", id]) {
      const refused = await failure(book.create({ name, roles: ["observe"] }));
      expect(refused).toMatchObject({ code: "conflict", message: expect.stringContaining("dragoman token rotate") });
    }
    expect(await failure(book.revoke("nobody"))).toEqual({
      code: "invalid_params",
      message: 'There is no token "nobody". Give its name or its id, as dragoman token list shows them.',
    });
    expect((await failure(book.rotate(admin))).message).toMatch(/^That is a token itself\. Give its name/);
  });

  test("is one of a thousand at the most", async () => {
    const { book } = await firstBook();
    const [record] = recordsOf();
    const many = Array.from({ length: 999 }, (_, n) => {
      const digits = n.toString(16).padStart(16, "0");
      return { ...record, id: digits, name: `t${n}`, sha256: digits.repeat(4) };
    });
    writeFileSync(file("tokens.json"), JSON.stringify({ tokens: [record, ...many] }));
    const refused = await failure(book.create({ name: "one more", roles: ["observe"] }));
    expect(refused.message).toBe("There are 1000 tokens already. Revoke some: dragoman token revoke <name>");
    await book.revoke("t7");
    await book.create({ name: "one more", roles: ["observe"] });
  });
});
