import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import type { Rule } from "../core/rules.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { grantTrust, revokeTrust } from "./trust.ts";
import {
  changeRecord,
  readRecord,
  readRecords,
  realWorkspace,
  recordPath,
  type WorkspaceRecord,
} from "./workspace-record.ts";

const folder = temporaryFolder();
let [home, records] = ["", ""];
let count = 0;
const workspace = "/w";

beforeEach(() => {
  home = join(realpathSync(folder.path), String(count++));
  records = join(home, "workspaces");
});

const rule = (command: string): Rule => ({ tool: "shell", command });
const nothing: WorkspaceRecord = { workspace, trusted: false, allow: [], deny: [] };
const rules = { allow: [rule("ls")], deny: [rule("rm")] };
const remember = () => changeRecord(home, workspace, (record) => ({ ...record, ...rules }));

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((error: unknown) => error);
  if (!(error instanceof DragomanError)) throw new Error("it did not fail");
  return error.message;
}

test("trust comes and goes, and the rules that were remembered stay", async () => {
  await remember();
  const configuration = "a".repeat(64);
  await grantTrust(home, workspace, configuration, new Date(0));
  const trustedAt = "1970-01-01T00:00:00.000Z";
  expect(await readRecord(home, workspace)).toEqual({ workspace, trusted: true, trustedAt, configuration, ...rules });
  await revokeTrust(home, workspace);
  expect(await readRecord(home, workspace)).toEqual({ workspace, trusted: false, ...rules });
});

test("a change that changes nothing writes nothing", async () => {
  await revokeTrust(home, workspace);
  expect(existsSync(recordPath(home, workspace))).toBe(false);
  await remember();
  const before = statSync(recordPath(home, workspace)).ino;
  await revokeTrust(home, workspace);
  await changeRecord(home, workspace, (record) => record);
  expect(statSync(recordPath(home, workspace)).ino).toBe(before);
});

test("all records are listed, what is wrong with some of them is told, and what is none is let be", async () => {
  expect(await readRecords(home)).toEqual({ records: [], errors: [] });
  const workspaces = ["/a", "/b", "/c", "/d"];
  for (const one of workspaces) await changeRecord(home, one, (record) => ({ ...record, ...rules }));
  writeFileSync(recordPath(home, "/d"), "{");
  for (const name of ["notes.txt", "notes.json", `${"0".repeat(32)}.json.new`]) writeFileSync(join(records, name), "{");
  const found = await readRecords(home);
  const path = (one: WorkspaceRecord) => recordPath(home, one.workspace);
  expect(found.records.map(path)).toEqual(["/a", "/b", "/c"].map((one) => recordPath(home, one)).sort());
  expect(found.records.map(({ workspace: _, ...rest }) => rest)).toEqual(Array(3).fill({ trusted: false, ...rules }));
  expect(found.errors.map(({ message }) => message)).toEqual([
    expect.stringContaining(`${recordPath(home, "/d")} is not a record of a workspace`),
  ]);
});

test("nothing is read from a folder that others may write to, or that is none", async () => {
  await remember();
  chmodSync(records, 0o777);
  expect(await failure(readRecords(home))).toContain("chmod 700");
  expect(await failure(readRecord(home, workspace))).toContain("chmod 700");
  rmSync(records, { recursive: true });
  writeFileSync(records, "");
  expect(await failure(readRecords(home))).toContain("is not a folder. Take it away");
});

test("what someone left behind who died while writing is in nobody's way", async () => {
  mkdirSync(records, { recursive: true, mode: 0o700 });
  writeFileSync(`${recordPath(home, workspace)}.new`, "half of a rec");
  expect(await readRecord(home, workspace)).toEqual(nothing);
  await remember();
  expect(await readRecord(home, workspace)).toEqual({ ...nothing, ...rules });
  expect(existsSync(`${recordPath(home, workspace)}.new`)).toBe(false);
});

test("a record that would be too large to be read again is not written", async () => {
  await remember();
  const before = readFileSync(recordPath(home, workspace), "utf8");
  const grow = changeRecord(home, workspace, (record) => ({ ...record, allow: [rule("é".repeat(500_000))] }));
  expect(await failure(grow)).toBe(`${recordPath(home, workspace)} would grow too large. Take rules out of it.`);
  expect(readFileSync(recordPath(home, workspace), "utf8")).toBe(before);
});

test("a workspace is a folder that is there, by its real path", async () => {
  mkdirSync(home);
  const [file, link] = [join(home, "file"), join(home, "link")];
  writeFileSync(file, "");
  symlinkSync(home, link);
  expect(await realWorkspace(link)).toBe(home);
  for (const none of [file, join(file, "below"), join(home, "gone")]) {
    expect(await failure(realWorkspace(none))).toBe(
      `${none} is not a folder, or not any more. Name one that is there.`,
    );
  }
});
