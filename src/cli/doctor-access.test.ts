import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { announceServer } from "../access/running-servers.ts";
import { TokenBook } from "../access/token-book.ts";
import { missingEngine } from "../core/engine.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { examineSqlite, writerOf } from "../stores/sqlite-examine.ts";
import { memoryTerminal } from "../testing/memory-terminal.ts";
import { gone } from "../testing/store-fixtures.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { doctor } from "./doctor.ts";
import type { Finding } from "./doctor-finding.ts";

// What the doctor says of those who come in over the network, and of where they do.

const folder = temporaryFolder();
let [home, count] = ["", 0];
const inHome = (...names: string[]) => join(home, ...names);

beforeEach(async () => {
  home = join(folder.path, String(count++));
  mkdirSync(home, { mode: 0o700 });
  const { book } = await TokenBook.open(home);
  book.close();
});

async function report(about: string, mend = false) {
  const { terminal, written } = memoryTerminal();
  const path = inHome("log.db");
  const code = await doctor({
    version: "1.0.0",
    home,
    workspace: folder.path,
    terminal,
    json: true,
    mend,
    examine: async () => ({ examination: examineSqlite(path), writer: () => writerOf(path) }),
    openStore: () => openSqliteStore(path),
    endProcesses: async () => [],
    engines: async () => [missingEngine("builtin", async () => "It is not here.")],
    missing: async () => undefined,
  });
  await new Promise((resolve) => setImmediate(resolve));
  const { findings, mended } = JSON.parse(written.out);
  return { code, found: findings.filter((finding: Finding) => finding.about === about), mended };
}

describe("tokens", () => {
  test("that are well are counted, and are not touched", async () => {
    const before = readdirSync(home).map((name) => readFileSync(inHome(name), "latin1"));
    expect(await report("tokens")).toEqual({
      code: 0,
      found: [{ about: "tokens", verdict: "ok", text: `1 token; the admin's is in ${inHome("token")}` }],
      mended: undefined,
    });
    expect(readdirSync(home).map((name) => readFileSync(inHome(name), "latin1"))).toEqual(before);
  });

  test("that were never made are no matter", async () => {
    for (const name of ["token", "tokens.json"]) rmSync(inHome(name));
    expect(await report("tokens")).toMatchObject({ code: 0, found: [] });
  });

  test.each(["token", "tokens.json"])("that others could read are a problem, and are closed: %s", async (name) => {
    chmodSync(inHome(name), 0o644);
    expect(await report("tokens")).toEqual({
      code: 1,
      found: [
        {
          about: "tokens",
          verdict: "problem",
          text: expect.stringMatching(
            / is open to others on this machine \(644\)\. Until it is mended .*, and no server starts\.$/,
          ),
          mend: expect.stringContaining(`chmod 600 ${inHome(name)}, or dragoman doctor --mend.`),
        },
      ],
      mended: undefined,
    });
    expect(await report("tokens", true)).toMatchObject({
      code: 0,
      found: [{ verdict: "ok" }],
      mended: [{ done: true, text: `${inHome(name)} is for you alone now.` }],
    });
    expect(statSync(inHome(name)).mode & 0o777).toBe(0o600);
  });

  test.each<[string, string, RegExp]>([
    ["no list", "{", /tokens\.json is not a list of tokens: /],
    ["no UTF-8", "\xff", /tokens\.json is not (?:UTF-8 text|a list of tokens)/],
    ["a list without the admin's", '{"tokens":[]}', /the admin token is missing/],
  ])("that are damaged are a problem that is left to the user: %s", async (_, text, message) => {
    writeFileSync(inHome("tokens.json"), text, { encoding: "latin1" });
    expect(await report("tokens", true)).toMatchObject({
      code: 1,
      found: [{ verdict: "problem", text: expect.stringMatching(message), mend: expect.stringContaining("nobody") }],
      mended: [],
    });
    expect(readFileSync(inHome("tokens.json"), "latin1")).toBe(text);
  });

  test.each<[string, () => void, RegExp]>([
    ["its list is gone", () => rmSync(inHome("tokens.json")), /tokens\.json is gone: nobody gets in/],
    ["its text is gone", () => rmSync(inHome("token")), /token is gone: your programs find none/],
    ["its text is another", () => writeFileSync(inHome("token"), "drg_x\n"), /does not have the admin token/],
  ])("of which the admin's does not work are told of: %s", async (_, spoil, text) => {
    spoil();
    const found = [{ verdict: "warning", text: expect.stringMatching(text), mend: expect.stringContaining("anew") }];
    expect(await report("tokens")).toMatchObject({ code: 0, found });
  });
});

describe("servers", () => {
  const server = { url: "http://127.0.0.1:8137", pid: process.pid, workspace: "/w", version: "1.0.0", startedAt: "" };
  const announced = () => readdirSync(inHome("servers"));

  test("are listed, also idle ones, with those of another version", async () => {
    const [startedAt, later] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];
    const live = { socket: "/w/live.sock", port: 8138 };
    await announceServer(home, { ...server, startedAt: later, live });
    await announceServer(home, { ...server, pid: process.pid + 1, version: "0.9.0", startedAt });
    expect(await report("server", true)).toMatchObject({
      code: 0,
      found: [
        {
          verdict: "ok",
          text: `http://127.0.0.1:8137 (pid ${process.pid}), version 1.0.0, serves /w, speaks live at /w/live.sock and 127.0.0.1:8138`,
        },
        { verdict: "warning", text: expect.stringMatching(/version 0\.9\.0, .* but this is version 1\.0\.0\.$/) },
      ],
      mended: [],
    });
    expect(announced()).toHaveLength(2);
  });

  test("that are gone are told of, and forgotten only when that is wanted", async () => {
    await announceServer(home, server);
    const [name = ""] = announced();
    const told = JSON.parse(readFileSync(inHome("servers", name), "utf8"));
    const process = { ...told.process, pid: gone.pid, startedAt: "1" };
    writeFileSync(inHome("servers", name), JSON.stringify({ ...told, process }));
    const text = expect.stringContaining("serves /w: ended without a word.");
    const mend = "dragoman doctor --mend forgets it.";
    expect(await report("server")).toMatchObject({ code: 0, found: [{ verdict: "warning", text, mend }] });
    expect(announced()).toEqual([name]);
    const mended = [{ done: true, text: `Forgot the server http://127.0.0.1:8137 (pid ${server.pid}).` }];
    expect(await report("server", true)).toEqual({ code: 0, found: [], mended });
    expect(announced()).toEqual([]);
  });

  test("cannot be told where their folder is none", async () => {
    writeFileSync(inHome("servers"), "");
    expect(await report("server")).toMatchObject({ code: 1, found: [{ verdict: "problem" }] });
  });
});
