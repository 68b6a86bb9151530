import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { missingEngine } from "../core/engine.ts";
import { thisHost, thisProcess } from "../core/process-identity.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { examineSqlite, writerOf } from "../stores/sqlite-examine.ts";
import { migrations } from "../stores/sqlite-schema.ts";
import { filledStore } from "../testing/filled-store.ts";
import { memoryTerminal } from "../testing/memory-terminal.ts";
import { AT, append, claim, created, gone, nodeInfo } from "../testing/store-fixtures.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type DoctorOptions, doctor } from "./doctor.ts";
import type { Finding } from "./doctor-finding.ts";
import { examineLock } from "./doctor-store.ts";
import { examineVersions } from "./doctor-surroundings.ts";

const folder = temporaryFolder();
let count = 0;
let [home, workspace, path] = ["", "", ""];

beforeEach(() => {
  const own = join(folder.path, String(count++));
  [home, workspace] = [join(own, "home"), join(own, "work")];
  for (const made of [own, home, workspace]) mkdirSync(made, { mode: 0o700 });
  path = join(home, "log.db");
});

async function examined(more: Partial<DoctorOptions> = {}) {
  const { terminal, written } = memoryTerminal();
  const options: DoctorOptions = {
    version: "1.0.0",
    home,
    workspace,
    terminal,
    json: true,
    mend: false,
    examine: async () => ({ examination: examineSqlite(path), writer: () => writerOf(path) }),
    openStore: () => openSqliteStore(path),
    endProcesses: async () => [],
    engines: async () => [
      missingEngine("builtin", async () => "It is not here."),
      missingEngine("copilot", async () => "It is not here."),
    ],
    missing: async (name) => (name === "codex" ? "Install it: npm install -g x" : undefined),
    ...more,
  };
  const code = await doctor(options);
  await new Promise((resolve) => setImmediate(resolve));
  return { code, text: written.out, report: options.json ? JSON.parse(written.out) : undefined };
}

/** What is not well. */
async function wrong(more?: Partial<DoctorOptions>): Promise<{ code: number; wrong: Finding[] }> {
  const { code, report } = await examined(more);
  return { code, wrong: report.findings.filter(({ verdict }: Finding) => verdict !== "ok") };
}

/** Each file by a digest. What lies beside a journal is an index that whoever reads writes to as well. */
const filesIn = (place: string) =>
  readdirSync(place)
    .filter((name) => !name.endsWith("-shm"))
    .map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(place, name)))
        .digest("hex"),
    ]);

/** Looking changes no byte, and makes nothing. */
async function untouched<T>(work: () => Promise<T>): Promise<T> {
  const before = filesIn(home);
  const result = await work();
  expect(filesIn(home)).toEqual(before);
  return result;
}

function change(...statements: string[]): void {
  const db = new DatabaseSync(path);
  for (const sql of statements) db.exec(sql);
  db.close();
}

describe("a data folder", () => {
  test("that is not there is no problem, and is not made", async () => {
    rmSync(home, { recursive: true });
    expect(await wrong()).toEqual({ code: 0, wrong: [] });
    expect(() => statSync(home)).toThrow("ENOENT");
  });

  test.each(["home", "home/deeper"])("that is a file, or lies in one, is a problem (%s)", async (name) => {
    rmSync(home, { recursive: true });
    writeFileSync(home, "");
    const { code, wrong: found } = await wrong({ home: join(home, "..", name) });
    expect(code).toBe(1);
    expect(found[0]).toMatchObject({ about: "data folder", verdict: "problem" });
    expect(found[0]?.mend).toContain("DRAGOMAN_HOME");
  });

  test.each([
    [0o755, "warning", /Others on this machine can read .*home.* \(755\), .*open\.html \(644\)\.$/],
    [0o777, "problem", /Others on this machine can change .*home.* \(777\), and read .*open\.html \(644\)\.$/],
  ] as const)("that others can enter (%o) is told of, and closed when that is wanted", async (mode, verdict, text) => {
    writeFileSync(join(home, "open.html"), "secret", { mode: 0o644 });
    chmodSync(home, mode);
    const { wrong: found } = await wrong();
    expect(found).toMatchObject([{ about: "data folder", verdict, text: expect.stringMatching(text) }]);
    const { code, report } = await examined({ mend: true });
    expect([code, report.problems, report.mended.length]).toEqual([0, 0, 2]);
    expect([statSync(home).mode & 0o777, statSync(join(home, "open.html")).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  test("that only its owner can enter is well, whatever the modes of its files are", async () => {
    writeFileSync(join(home, "dragoman.json"), "{}", { mode: 0o644 });
    expect(await wrong()).toEqual({ code: 0, wrong: [] });
  });
});

describe("a log", () => {
  test("that is well is told of with its size and version, and is not touched", async () => {
    await filledStore(path, 20);
    const { code, report } = await untouched(() => examined());
    expect(code).toBe(0);
    const about = report.findings.find((finding: Finding) => finding.about === "log");
    expect(about).toEqual({ about: "log", verdict: "ok", text: expect.stringMatching(/log\.db: 1 session, .* KB/) });
  });

  const ways: [what: string, spoil: () => void, text: RegExp, mend: RegExp][] = [
    ["text", () => writeFileSync(path, "notes\n".repeat(999)), /not an SQLite database/, /restore a backup/],
    ["zeros", () => writeFileSync(path, Buffer.alloc(8192)), /not an SQLite database/, /move the file away/],
    ["cut off", () => truncateSync(path, Math.floor(statSync(path).size / 2)), /cut off/, /restore a backup/],
    ["of a newer Dragoman", () => change("PRAGMA user_version = 999"), /version 999/, /Update Dragoman/],
    ["another application's", anothers, /another application/, /move the file away/],
    ["damaged in its first page", () => scramble(0, 100), /damaged/, /restore a backup/],
    ["damaged in a page of events", () => scramble(eventsPage() - 1), /damaged/, /restore a backup/],
    ["empty, and its journal is not", emptied, /its journal is not/, /restore a backup/],
  ];
  test.each(ways)("that is %s is a problem, and is left as it is", async (_, spoil, text, mend) => {
    await filledStore(path);
    spoil();
    const { code, wrong: found } = await untouched(() => wrong());
    expect(code).toBe(1);
    expect(found).toContainEqual({
      about: "log",
      verdict: "problem",
      text: expect.stringMatching(text),
      mend: expect.stringMatching(mend),
    });
    expect((await untouched(() => examined({ mend: true }))).code).toBe(1);
  });

  function scramble(page: number, offset = 0): void {
    const bytes = readFileSync(path);
    const start = page * bytes.readUInt16BE(16) + offset;
    for (let i = 0; i < 64; i++) bytes[start + i] = (i * 167 + 13) % 256;
    writeFileSync(path, bytes);
  }

  function eventsPage(): number {
    const db = new DatabaseSync(path, { readOnly: true });
    const sql = "SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path DESC LIMIT 1";
    const { pageno } = db.prepare(sql).get();
    db.close();
    return pageno;
  }

  function anothers(): void {
    for (const name of readdirSync(home)) rmSync(join(home, name));
    change("CREATE TABLE bookmarks (url TEXT)");
  }

  function emptied(): void {
    writeFileSync(path, "");
    writeFileSync(`${path}-wal`, "something");
  }

  test("whose newest part is still in the journal is looked at with it, also where the journal's index is lost", async () => {
    const live = folder.newPath();
    const store = await openSqliteStore(live);
    await store.append("s", [created("/w")], await claim(store, "s"));
    for (const end of ["", "-wal"]) copyFileSync(live + end, path + end);
    await store.close();
    const { report } = await untouched(() => examined());
    expect(readdirSync(home).sort()).toEqual(["log.db", "log.db-wal"]);
    const about = report.findings.find((finding: Finding) => finding.about === "log");
    expect(about.text).toMatch(/1 session, .*, its journal /);
  });

  test("of an older Dragoman is well, and is not brought to a newer version by looking", async () => {
    change(migrations[0] ?? "", "PRAGMA application_id = 1148346727", "PRAGMA user_version = 1");
    const { code, report } = await untouched(() => examined());
    expect(code).toBe(0);
    expect(report.findings.map(({ text }: Finding) => text)).toContainEqual(
      expect.stringMatching(/brought to version/),
    );
  });

  test("that a process keeps locked is a problem, with who does", async () => {
    const store = await openSqliteStore(path);
    await append(store, await claim(store, "s"));
    expect(writerOf(path)).toBeUndefined();
    const db = new DatabaseSync(path);
    db.exec("BEGIN IMMEDIATE");
    const known = { ...nodeInfo("n"), title: "stdio", seenAt: 0, state: "alive" as const };
    const looks = { times: 3, everyMs: 1 };
    const found = await examineLock(
      () => (process.platform === "linux" ? writerOf(path) : process.pid),
      [known],
      looks,
    );
    db.exec("ROLLBACK");
    db.close();
    await store.close();
    expect(found).toMatchObject([{ verdict: "problem", text: expect.stringContaining(`stdio (pid ${process.pid})`) }]);
    expect(found[0]?.mend).toContain(`kill -9 ${process.pid}`);
    let writers = [7, undefined, 7];
    expect(await examineLock(() => writers.shift(), [], looks)).toEqual([]);
    writers = [7, 8, 7];
    expect(await examineLock(() => writers.shift(), [], looks)).toEqual([]);
  });
});

describe("processes that share the log", () => {
  const dead = "node that is gone";
  const mine = "node that lives";
  const session = (n: number) => `${n}`.repeat(8);
  const record: ProcessRecord = {
    mark: "m",
    node: dead,
    sessionId: session(1),
    runId: "r",
    title: "npm test",
    host: thisHost(),
  };

  /** As a process leaves it that is killed, and one that is at work. */
  async function shared(...more: string[]): Promise<void> {
    const store = await openSqliteStore(path);
    const by = { dialect: "test" };
    for (const n of [1, 2]) {
      const started = { type: "run.started", runId: "r", kind: "prompt", input: { text: "go" }, by, at: AT } as const;
      const ask = { askId: "a", kind: "confirm", title: "Write it?", message: "", expiresAt: 0, runId: "r" } as const;
      const opened = { ...ask, type: "ask.opened", at: AT } as const;
      await store.append(session(n), [created("/w"), started, opened], await claim(store, session(n)));
    }
    await store.close();
    const info = (node: string, identity = thisProcess()) =>
      JSON.stringify({ ...nodeInfo(node, identity), title: node === dead ? "run" : "stdio", version: "1.0.0" });
    change(
      `INSERT INTO nodes VALUES ('${dead}', ${Date.now()}, '${info(dead, gone)}')`,
      `INSERT INTO nodes VALUES ('${mine}', ${Date.now()}, '${info(mine)}')`,
      `UPDATE sessions SET owner = '${dead}' WHERE session_id = '${session(1)}'`,
      `UPDATE sessions SET owner = '${mine}' WHERE session_id = '${session(2)}'`,
      `INSERT INTO presence VALUES ('${session(2)}', '${mine}', 'confirm'), ('${session(1)}', '${dead}', 'confirm')`,
      ...more,
    );
  }

  test("are told apart: those that live, those that ended without a word, and what they left undone", async () => {
    await shared();
    const { code, report } = await untouched(() => examined());
    expect(code).toBe(0);
    const told = report.findings.filter(({ about }: Finding) => ["process", "session"].includes(about));
    expect(told).toEqual([
      { about: "process", verdict: "ok", text: `stdio (pid ${process.pid}), version 1.0.0, has 1 session: alive` },
      expect.objectContaining({
        verdict: "warning",
        text: expect.stringMatching(/^run \(pid \d+\).*has 1 session: ended/),
      }),
      {
        about: "session",
        verdict: "warning",
        text: "11111111 waits for an answer, and its process is gone: Write it?",
        mend: "Answer it, and it goes on where you do: dragoman watch 11111111",
      },
    ]);
  });

  test("may have left runs, which are named with how to end them, unless someone has them before them", async () => {
    const asksNothing = "UPDATE sessions SET summary = json_set(summary, '$.asks', json('[]'))";
    await shared(asksNothing, `UPDATE sessions SET owner = '${dead}'`);
    const ofSessions = async () => (await wrong()).wrong.filter(({ about }) => about === "session");
    const mend = "dragoman watch 11111111";
    expect(await ofSessions()).toMatchObject([
      { text: "1 run was interrupted: 11111111.", mend: `Open it, and it is brought to its end: ${mend}` },
    ]);
    change(`DELETE FROM presence WHERE node = '${mine}'`);
    expect(await ofSessions()).toMatchObject([
      {
        text: "2 runs were interrupted: 11111111, 22222222.",
        mend: `Open them, and they are brought to their ends: ${mend}; dragoman watch 22222222`,
      },
    ]);
  });

  test("are warned of when they say nothing, or are of another version", async () => {
    await shared(`UPDATE nodes SET seen = ${Date.now() - 60_000} WHERE node = '${mine}'`);
    const silent = expect.objectContaining({
      verdict: "warning",
      text: expect.stringMatching(/says nothing; last heard of 1 min/),
    });
    expect((await wrong()).wrong).toContainEqual(silent);
    change(`UPDATE nodes SET seen = ${Date.now()}`);
    const other = expect.objectContaining({ text: expect.stringMatching(/alive, but this is version 2\.0\.0/) });
    expect((await wrong({ version: "2.0.0" })).wrong).toContainEqual(other);
  });

  const insert = (of: ProcessRecord & { pid: number; startedAt: string }) =>
    `INSERT INTO processes VALUES (NULL, '${of.mark}', '${of.node}', '${of.sessionId}', '${of.runId}', '${of.title}', '${of.host}', ${of.pid}, '${of.startedAt}')`;

  test("may have left a tool running, which is a problem; one that has ended is only made sure of", async () => {
    const { pid, startedAt } = thisProcess();
    await shared(insert({ ...record, pid, startedAt }));
    const running = { about: "tool", verdict: "problem", text: expect.stringContaining(`npm test (pid ${pid})`) };
    expect((await wrong()).wrong).toContainEqual({ ...running, mend: expect.stringContaining("--mend") });
    change("UPDATE processes SET started_at = 'another one had the pid'");
    expect((await wrong()).wrong).toContainEqual(expect.objectContaining({ about: "tool", verdict: "warning" }));
    change(`UPDATE processes SET node = '${mine}'`);
    expect((await wrong()).wrong.filter(({ about }) => about === "tool")).toEqual([]);
  });

  test("that are gone are cleared up after: what they started is ended, they are forgotten, their sessions stay", async () => {
    await shared(
      insert({ ...record, pid: gone.pid, startedAt: "1" }),
      insert({ ...record, mark: "elsewhere", host: "elsewhere", pid: 1, startedAt: "1" }),
      insert({ ...record, mark: "before", host: "here before-this-start", pid: 1, startedAt: "1" }),
      insert({ ...record, mark: "mine", node: mine, pid: 1, startedAt: "1" }),
      `INSERT INTO letters (id, session_id, epoch, sender, recipient, body) VALUES ('l', 's', 1, '${dead}', 'x', '')`,
    );
    const asked: string[] = [];
    const endProcesses = async (records: ProcessRecord[]) => {
      asked.push(...records.map(({ mark }) => mark));
      return [{ mark: "m", title: "npm test", pids: [4, 5], left: [] }];
    };
    const { report } = await examined({ mend: true, endProcesses });
    expect(asked).toEqual(["m"]);
    expect(report.mended).toEqual([
      { done: true, text: "Ended npm test (pid 4, 5)." },
      { done: true, text: expect.stringMatching(/^Forgot run \(pid \d+\)\.$/) },
    ]);
    const { facts } = examineSqlite(path);
    expect(facts?.nodes.map(({ node }) => node)).toEqual([mine]);
    expect(facts?.processes.map(({ mark }) => mark).sort()).toEqual(["elsewhere", "mine"]);
    expect([facts?.letters, facts?.sessions]).toEqual([[], 2]);
  });

  test("that cannot be cleared up after are told of", async () => {
    await shared(insert({ ...record, pid: gone.pid, startedAt: "1" }));
    const endProcesses = () => Promise.reject(new Error("not permitted"));
    const { code, report } = await examined({ mend: true, endProcesses });
    expect([code, report.mended]).toEqual([1, [{ done: false, text: "not permitted" }]]);
  });
});

describe("what is around it", () => {
  test("is a configuration that cannot be read, or is not understood", async () => {
    writeFileSync(join(workspace, "dragoman.json"), '{ "colour": "red" }');
    expect((await wrong()).wrong).toMatchObject([{ about: "configuration", verdict: "warning" }]);
    writeFileSync(join(workspace, "dragoman.json"), "{ broken");
    expect(await wrong()).toMatchObject({ code: 1, wrong: [{ about: "configuration", verdict: "problem" }] });
  });

  test("is a record of trust that cannot be read", async () => {
    mkdirSync(join(home, "workspaces"), { mode: 0o700 });
    writeFileSync(join(home, "workspaces", `${"a".repeat(32)}.json`), "{", { mode: 0o600 });
    expect(await wrong()).toMatchObject({ code: 1, wrong: [{ about: "trust", verdict: "problem" }] });
  });

  test("is the engine of new sessions, with who chose it and what else there is", async () => {
    const engine = async () => (await examined()).report.findings.filter(({ about }: Finding) => about === "engine");
    const text = "new sessions are with builtin, since nothing else is chosen; also here: copilot";
    expect(await engine()).toEqual([{ about: "engine", verdict: "ok", text }]);
    writeFileSync(join(home, "dragoman.json"), '{ "engine": "copilot" }');
    expect(await engine()).toMatchObject([
      { verdict: "ok", text: expect.stringContaining("copilot, by your dragoman.json; also here: builtin") },
    ]);
    writeFileSync(join(home, "dragoman.json"), '{ "engine": "codex" }');
    expect(await wrong()).toMatchObject({
      code: 1,
      wrong: [
        {
          about: "engine",
          text: "New sessions are to be with codex, by your dragoman.json, and that is not here.",
          mend: "Install it: npm install -g x",
        },
      ],
    });
  });

  test("is a Node.js that is too old, or git that is missing", async () => {
    const versions = { dragoman: "1.0.0", sqlite: "3.50.0", git: async () => "git 2.39.5" };
    const verdicts = async (node: string) =>
      (await examineVersions({ ...versions, node })).map(({ verdict }) => verdict);
    expect([await verdicts("20.19.0"), await verdicts("22.1.0")]).toEqual([["ok"], ["ok"]]);
    expect([await verdicts("20.18.3"), await verdicts("18.20.0")]).toEqual(Array(2).fill(["ok", "problem"]));
    const without = await examineVersions({ ...versions, node: "22.1.0", git: async () => undefined });
    expect(without.map(({ verdict }) => verdict)).toEqual(["ok", "warning"]);
  });
});

test("is a report that a person can read", async () => {
  writeFileSync(path, "notes\u001b[2J\n".repeat(999));
  const { text } = await examined({ json: false });
  const lines = text.split("\n");
  expect(lines[0]).toBe(`✓ data folder    ${home}`);
  expect(lines[1]).toMatch(/^✗ log {12}The session store .* is damaged or not a store: it is not an SQLite database/);
  expect(lines[2]).toMatch(/^ {17}→ Stop every Dragoman, then restore a backup/);
  expect(lines.slice(-2)).toEqual(["1 problem", ""]);
});
