import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { Vault } from "./vault.ts";

const folder = temporaryFolder();
const CANARY = "canary-3f9a1c77";
const server = "https://api.example.com/v1";
const token = { token: CANARY };

function newVault() {
  const home = folder.newPath();
  const file = (name: string) => join(home, "connections", name);
  return { home, vault: new Vault(home, new ManualClock()), file };
}

test("keeps what is entered for the next process, and tells of it only that it is there", async () => {
  const { home, vault } = newVault();
  await vault.connect({ owner: "me", sessionId: "s1", server, credentials: { key: token }, inside: true });
  const next = new Vault(home);
  expect(next.open("me", "s1")).toEqual({
    server,
    origin: "https://api.example.com",
    credentials: { key: token },
    inside: true,
  });
  const told = next.told("me");
  expect(told).toEqual([
    {
      origin: "https://api.example.com",
      schemes: [{ id: "key", setAt: "2026-01-01T00:00:00.000Z" }],
      sessions: ["s1"],
    },
  ]);
});

test("nobody but their owner has use of connections", async () => {
  const { vault } = newVault();
  await vault.connect({ owner: "me", sessionId: "s1", server, credentials: { key: token } });
  expect([vault.open("you", "s1"), vault.told("you")]).toEqual([undefined, []]);
  await vault.forget("you", "https://api.example.com");
  await vault.disconnect("you", "s1");
  expect(vault.serverOf("me", "s1")).toBe(server);
});

test("credentials are for scheme, host and port, and shared by the sessions that connect there", async () => {
  const { vault } = newVault();
  const me = { owner: "me", credentials: {} };
  await vault.connect({ ...me, sessionId: "s1", server, credentials: { key: token } });
  await vault.connect({ ...me, sessionId: "s2", server: "https://API.example.com:443/v2" });
  await vault.connect({ ...me, sessionId: "s3", server: "http://api.example.com/v1" });
  await vault.connect({ ...me, sessionId: "s4", server: "https://api.example.com:8443/v1" });
  const known = ["s1", "s2", "s3", "s4"].map((session) => Object.keys(vault.open("me", session)?.credentials ?? {}));
  expect(known).toEqual([["key"], ["key"], [], []]);
});

test("what is not named stays, null takes away, and forgetting leaves nothing", async () => {
  const { vault } = newVault();
  const me = { owner: "me", sessionId: "s1", server };
  const basic = { username: "me", password: "x" };
  await vault.connect({ ...me, credentials: { key: token, basic } });
  await vault.connect({ ...me, credentials: { key: null } });
  expect(vault.open("me", "s1")?.credentials).toEqual({ basic });
  await vault.disconnect("me", "s1");
  expect([vault.open("me", "s1"), vault.told("me")[0]?.schemes.map(({ id }) => id)]).toEqual([undefined, ["basic"]]);
  await vault.connect({ ...me, credentials: {} });
  await vault.forget("me", "https://api.example.com");
  expect([vault.open("me", "s1"), vault.told("me")]).toEqual([undefined, []]);
});

test("is for its owner alone, and no file of it has a secret in plain text", async () => {
  const { home, vault } = newVault();
  await vault.connect({ owner: "me", sessionId: "s1", server, credentials: { key: token } });
  const names = readdirSync(join(home, "connections")).sort();
  expect(names).toEqual(["connections-lock.db", "connections.json", "connections.key"]);
  for (const name of names) {
    const path = join(home, "connections", name);
    expect([name, statSync(path).mode & 0o777]).toEqual([name, 0o600]);
    const bytes = readFileSync(path);
    const forms = [CANARY, Buffer.from(CANARY).toString("base64").slice(0, 16), Buffer.from(CANARY).toString("hex")];
    for (const form of [...forms, "api.example.com"]) expect(bytes.includes(form)).toBe(false);
  }
  expect(statSync(join(home, "connections")).mode & 0o777).toBe(0o700);
});

test("the same content is never written in the same way", async () => {
  const { vault, file } = newVault();
  const connect = () => vault.connect({ owner: "me", sessionId: "s1", server, credentials: {} });
  await connect();
  const first = readFileSync(file("connections.json"), "utf8");
  await connect();
  expect(readFileSync(file("connections.json"), "utf8")).not.toBe(first);
});

const damages: [name: string, damage: (text: string) => string][] = [
  ["a changed byte", (text) => text.replace(/"data":"(.)/, (_, one) => `"data":"${one === "A" ? "B" : "A"}`)],
  ["a cut end", (text) => text.replace(/.{8}"\}/, '"}')],
  ["another nonce", (text) => text.replace(/"iv":"[^"]+"/, '"iv":"AAAAAAAAAAAAAAAA"')],
  ["a short tag", (text) => text.replace(/"tag":"[^"]+"/, '"tag":"AAAA"')],
  ["no JSON", () => "{"],
  ["nothing", () => ""],
];

test.each(damages)("%s is noticed, and told without what is in it", async (_, damage) => {
  const { vault, file } = newVault();
  await vault.connect({ owner: "me", sessionId: "s1", server, credentials: { key: token } });
  writeFileSync(file("connections.json"), damage(readFileSync(file("connections.json"), "utf8")));
  const message = expect.stringMatching(/connections\.json was changed, or its key was: it does not open/);
  expect(() => vault.open("me", "s1")).toThrow(expect.objectContaining({ code: "precondition_failed", message }));
  await expect(vault.connect({ owner: "me", sessionId: "s1", server, credentials: {} })).rejects.toThrow(/changed/);
});

test("another key opens nothing, and none is made where one is missing", async () => {
  const { vault, file } = newVault();
  const connect = () => vault.connect({ owner: "me", sessionId: "s1", server, credentials: { key: token } });
  await connect();
  writeFileSync(file("connections.key"), `${Buffer.alloc(32).toString("base64")}\n`, { mode: 0o600 });
  expect(() => vault.told("me")).toThrow(/its key was/);
  await rm(file("connections.key"));
  expect(() => vault.told("me")).toThrow(/cannot be read without/);
  await expect(connect()).rejects.toThrow(/cannot be read without/);
  await rm(file("connections.json"));
  await connect();
  expect(vault.serverOf("me", "s1")).toBe(server);
});

test("a file that others can read is not used", async () => {
  const { vault, file } = newVault();
  await vault.connect({ owner: "me", sessionId: "s1", server, credentials: { key: token } });
  await chmod(file("connections.key"), 0o644);
  expect(() => vault.told("me")).toThrow(/can be read by other users/);
});

test("of many who write at once none is lost", async () => {
  const { home } = newVault();
  const ids = Array.from({ length: 20 }, (_, at) => `s${at}`);
  const connect = (sessionId: string) =>
    new Vault(home).connect({ owner: "me", sessionId, server: `https://${sessionId}.example`, credentials: {} });
  await Promise.all(ids.map(connect));
  const told = new Vault(home).told("me");
  expect(told.flatMap(({ sessions }) => sessions).sort()).toEqual([...ids].sort());
});

test("is bounded: of too many connections the oldest goes", async () => {
  const { vault } = newVault();
  const connect = (at: number) =>
    vault.connect({ owner: "me", sessionId: `s${at}`, server: `https://a${at}.example`, credentials: {} });
  for (let at = 0; at <= 200; at++) await connect(at);
  const origins = vault.told("me").map(({ origin }) => origin);
  expect([origins.length, origins[0]]).toEqual([200, "https://a1.example"]);
});

test("nobody pushes out the connections of others", async () => {
  const { vault } = newVault();
  await vault.connect({ owner: "you", sessionId: "yours", server, credentials: { key: token } });
  for (let at = 0; at < 205; at++)
    await vault.connect({ owner: "me", sessionId: `s${at}`, server: `https://a${at}.example`, credentials: {} });
  expect(vault.open("you", "yours")?.credentials).toEqual({ key: token });
  const origins = vault.told("me").map(({ origin }) => origin);
  expect([origins.length, origins[0]]).toEqual([199, "https://a6.example"]);
});

/** So many thousands of bytes. */
const credentialsOf = (thousands: number) =>
  Object.fromEntries(
    Array.from({ length: thousands / 15 }, (_, at) => [`s${at}`, { token: `${at}`.padEnd(15_000, "x") }]),
  );

test("one owner has room for so much, is told what to forget for more, and can always make it less", async () => {
  const { vault } = newVault();
  const connect = (name: string, credentials: Record<string, { token: string } | null>) =>
    vault.connect({ owner: "me", sessionId: name, server: `https://${name}.example/v1`, credentials });
  await connect("small", credentialsOf(90));
  await connect("large", credentialsOf(210));
  await expect(connect("more", credentialsOf(120))).rejects.toMatchObject({
    code: "too_large",
    message:
      "What is kept for your APIs has at most 400 KB. Forget what you no longer use: the most is kept for https://large.example.",
  });
  expect(vault.told("me").map(({ origin }) => origin)).toEqual(["https://small.example", "https://large.example"]);
  await connect("large", { s0: null, s1: null });
  await connect("more", credentialsOf(120));
});

test("where all of it is full nothing more is written, and everyone goes on with what they have", async () => {
  const { vault } = newVault();
  const connect = (owner: string) => vault.connect({ owner, sessionId: "s1", server, credentials: credentialsOf(390) });
  for (const owner of ["a", "b", "c", "d", "e", "f", "g"]) await connect(owner);
  await expect(connect("h")).rejects.toMatchObject({
    code: "too_large",
    message:
      "There is no room for more credentials. Forget those for APIs that you no longer use, or have others do so with theirs.",
  });
  expect(Object.keys(vault.open("a", "s1")?.credentials ?? {})).toHaveLength(26);
  await vault.forget("a", "https://api.example.com");
  await connect("h");
  expect([vault.open("a", "s1"), vault.open("h", "s1")?.server]).toEqual([undefined, server]);
});

test("what was kept before anybody looked where names lead still opens, and is not known to lead inside", async () => {
  const { home, vault } = newVault();
  await vault.connect({ owner: "me", sessionId: "s1", server, credentials: { key: token } });
  expect(new Vault(home).open("me", "s1")).toMatchObject({ credentials: { key: token }, inside: false });
});

test.each(["ftp://x.example", "x.example", "/v1", "https://", "https://me:pass@x.example", "javascript:alert(1)"])(
  "%s is no address of an API",
  async (address) => {
    const { vault } = newVault();
    const wanted = { owner: "me", sessionId: "s1", server: address, credentials: {} };
    await expect(vault.connect(wanted)).rejects.toMatchObject({ code: "invalid_params" });
  },
);
