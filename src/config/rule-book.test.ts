import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import type { Rule, RuleBook } from "../core/rules.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { fileRuleBook } from "./rule-book.ts";
import { readSources } from "./sources.ts";
import { grantTrust } from "./trust.ts";

const folder = temporaryFolder();
let [workspace, home, file] = ["", "", ""];
let book: RuleBook;
let count = 0;

beforeEach(() => {
  const path = join(realpathSync(folder.path), String(count++));
  [workspace, home] = [join(path, "work"), join(path, "home")];
  mkdirSync(workspace, { recursive: true });
  file = join(home, "workspaces", `${createHash("sha256").update(workspace).digest("hex").slice(0, 32)}.json`);
  book = fileRuleBook({ home });
});

const rule = (command: string): Rule => ({ tool: "shell", command });
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function failure(work: () => Promise<unknown> = () => book.read(workspace)): Promise<string> {
  const error = await work().catch((error: unknown) => error);
  if (!(error instanceof DragomanError)) throw new Error("it did not fail");
  return error.message;
}

test("nothing holds where nothing was said, and to ask makes no file", async () => {
  expect(await book.read(workspace)).toEqual({ trusted: false, allow: [], deny: [] });
  expect(existsSync(home)).toBe(false);
});

test("remembers on disk, privately, outside of the workspace, and once", async () => {
  await book.remember(workspace, "allow", [rule("git status"), { tool: "write", skill_name: undefined }]);
  await book.remember(workspace, "deny", [rule("rm")]);
  const before = statSync(file).ino;
  await book.remember(workspace, "allow", [{ tool: "write" }, { command: "git status", tool: "shell" }]);
  expect(statSync(file).ino).toBe(before); // what is known already is not written again
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    workspace,
    trusted: false,
    allow: [rule("git status"), { tool: "write" }],
    deny: [rule("rm")],
  });
  expect([mode(home), mode(join(home, "workspaces")), mode(file)]).toEqual(["700", "700", "600"]);
  expect(readdirSync(join(home, "workspaces")).sort()).toEqual([file.slice(-37), "lock.db"].sort());
  expect(readdirSync(workspace)).toEqual([]);
});

test("a workspace is the same by whatever link it is reached, and no other", async () => {
  const link = join(workspace, "..", "link");
  symlinkSync(workspace, link);
  await book.remember(link, "allow", [rule("ls")]);
  mkdirSync(join(workspace, "inside"));
  expect((await book.read(workspace)).allow).toEqual([rule("ls")]);
  expect((await book.read(join(workspace, "inside"))).allow).toEqual([]);
});

test("the user's rules, the remembered ones and the project's come together, its allow rules with trust only", async () => {
  await book.remember(workspace, "allow", [rule("b")]);
  await book.remember(workspace, "deny", [rule("y")]);
  const policy = (name: string, no: string) => JSON.stringify({ policy: { allow: [rule(name)], deny: [rule(no)] } });
  writeFileSync(join(home, "dragoman.json"), policy("a", "x"));
  writeFileSync(join(workspace, "dragoman.json"), policy("c", "z"));
  const deny = [rule("x"), rule("y"), rule("z")];
  expect(await book.read(workspace)).toEqual({ trusted: false, allow: [rule("a"), rule("b")], deny });

  const { project } = await readSources({ workspace, home });
  await grantTrust(home, workspace, project?.sha256 ?? "", new Date());
  expect(await book.read(workspace)).toEqual({ trusted: true, allow: [rule("a"), rule("b"), rule("c")], deny });

  writeFileSync(join(workspace, "dragoman.json"), policy("curl evil.test", "z"));
  expect(await book.read(workspace)).toEqual({ trusted: false, allow: [rule("a"), rule("b")], deny });
});

describe("what cannot be relied on fails, and is left as it is", () => {
  beforeEach(() => book.remember(workspace, "deny", [rule("rm")]));

  test.each<[string, () => void, RegExp]>([
    ["a file that others may write to", () => chmodSync(file, 0o620), /Look at it, then run: chmod 600 \/.*\.json\.$/],
    ["a folder of that kind", () => chmodSync(join(home, "workspaces"), 0o777), /run: chmod 700 \/.*workspaces\.$/],
    ["no JSON", () => writeFileSync(file, "{"), /is not a record of a workspace: .* Mend it, or take it away/],
    ["an empty file", () => writeFileSync(file, ""), /is not a record of a workspace: it ends too early/],
    ["a list of rules that is none", () => edit({ deny: "rm" }), /is not a record of a workspace: .*deny/],
    ["a rule with a key of a later version", () => edit({ allow: [{ tool: "shell", host: "x" }] }), /"host"/],
    ["a record of another folder", () => edit({ workspace: "/elsewhere" }), /is about \/elsewhere, not about \//],
    ["a link", () => link(), /is a symbolic link/],
    ["a file over 1 MB", () => writeFileSync(file, " ".repeat(1_000_001)), /larger than 1000000 bytes/],
    ["a broken file of the user", () => writeFileSync(join(home, "dragoman.json"), "{"), /dragoman.json:1:2: /],
    ["a broken file of the project", () => writeFileSync(join(workspace, "dragoman.json"), "{"), /dragoman.json:1:2: /],
  ])("%s", async (_, make, message) => {
    make();
    expect(await failure()).toMatch(message);
  });

  test("nothing is remembered into a file that is broken", async () => {
    writeFileSync(file, "{");
    expect(await failure(() => book.remember(workspace, "allow", [rule("ls")]))).toContain("is not a record");
    expect(readFileSync(file, "utf8")).toBe("{");
  });

  function edit(change: object): void {
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...change }));
  }

  function link(): void {
    renameSync(file, `${file}.elsewhere`);
    symlinkSync(`${file}.elsewhere`, file);
  }
});

test("a data folder that cannot be written to is told with what to do", async () => {
  for (const place of ["/proc/nowhere", "/dev/null"]) {
    const message = await failure(() => fileRuleBook({ home: place }).remember(workspace, "allow", [rule("ls")]));
    expect(message).toMatch(/set DRAGOMAN_HOME to a folder that can be written to\.$|cannot be reached/);
  }
});

test("a lock that is damaged is told with what to do", async () => {
  await book.remember(workspace, "allow", [rule("a")]);
  writeFileSync(join(home, "workspaces", "lock.db"), "this is my diary, and it is not short enough to be overlooked");
  expect(await failure(() => book.remember(workspace, "allow", [rule("b")]))).toContain("Take the file away");
  expect((await book.read(workspace)).allow).toEqual([rule("a")]);
});

test("rules that come at once are all kept", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `at-once-${index}`);
  const books = [book, fileRuleBook({ home })];
  await Promise.all(names.map((name, index) => books[index % 2]?.remember(workspace, "allow", [rule(name)])));
  const kept = (await book.read(workspace)).allow.map(({ command }) => command);
  expect(kept.sort()).toEqual(names.sort());
});

describe("several processes", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const script = `
    import { fileRuleBook } from ${JSON.stringify(join(root, "src/config/rule-book.ts"))};
    const [home, workspace, name, count] = process.argv.slice(1);
    const book = fileRuleBook({ home });
    process.stdout.write("ready");
    await new Promise((go) => process.stdin.once("data", go));
    process.stdin.unref();
    for (let i = 0; i < Number(count); i++) {
      await book.remember(workspace, "allow", [{ tool: "shell", command: name + i }]);
      process.stdout.write(".");
    }`;

  function writer(name: string, rules: number) {
    const args = ["--import", "tsx", "--input-type=module", "-e", script, home, workspace, name, String(rules)];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    let heard = () => {};
    child.stdout.on("data", (data) => {
      said += data;
      heard();
    });
    const until = (text: string) =>
      new Promise<void>((resolve) => {
        heard = () => said.includes(text) && resolve();
        heard();
      });
    const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
    return { child, until, exit };
  }

  test("that remember at once lose nothing", async () => {
    const names = ["a", "b", "c"];
    const writers = names.map((name) => writer(name, 20));
    await Promise.all(writers.map(({ until }) => until("ready")));
    for (const { child } of writers) child.stdin.write("go");
    expect(await Promise.all(writers.map(({ exit }) => exit))).toEqual([0, 0, 0]);
    const kept = (await book.read(workspace)).allow.map(({ command }) => command);
    const expected = names.flatMap((name) => Array.from({ length: 20 }, (_, index) => `${name}${index}`));
    expect(kept.sort()).toEqual(expected.sort());
  });

  test("one that is killed in the middle leaves no lock and no half file", async () => {
    const { child, until, exit } = writer("k", 100_000);
    await until("ready");
    child.stdin.write("go");
    await until("...");
    child.kill("SIGKILL");
    await exit;
    const before = (await book.read(workspace)).allow.length;
    await book.remember(workspace, "allow", [rule("after")]);
    expect((await book.read(workspace)).allow.slice(before)).toEqual([rule("after")]);
    expect(readdirSync(join(home, "workspaces")).filter((name) => name.endsWith(".new"))).toEqual([]);
  });
});
