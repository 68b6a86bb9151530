import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryWorkspaces, type Workspace } from "../testing/workspace.ts";
import { write } from "./write.ts";

const workspace = temporaryWorkspaces();
const io = quietIo();
const run = (at: Workspace, path: string, content: string) => at.run(write, { path, content });

describe("write", () => {
  test("makes a file, and the folders above it", async () => {
    const at = workspace();
    expect(await run(at, "docs/new/notes.txt", "hellö\n")).toEqual({
      result: { path: "docs/new/notes.txt", created: true, bytes: 7 },
      diff: "--- /dev/null\n+++ b/docs/new/notes.txt\n@@ -0,0 +1,1 @@\n+hellö\n",
    });
    expect(at.text("docs/new/notes.txt")).toBe("hellö\n");
    expect(readdirSync(join(at.path, "docs/new"))).toEqual(["notes.txt"]);
  });

  test("takes the place of a file, and keeps its mode", async () => {
    const at = workspace().files({ "run.sh": "old\n" });
    chmodSync(join(at.path, "run.sh"), 0o751);
    expect(await run(at, "run.sh", "new\n")).toEqual({
      result: { path: "run.sh", created: false, bytes: 4 },
      diff: "--- a/run.sh\n+++ b/run.sh\n@@ -1,1 +1,1 @@\n-old\n+new\n",
    });
    expect(at.text("run.sh")).toBe("new\n");
    expect(statSync(join(at.path, "run.sh")).mode & 0o7777).toBe(0o751);
  });

  test("gives a new file the mode that the user's files have", async () => {
    const at = workspace().files({ "other.txt": "" });
    await run(at, "a.txt", "");
    expect(statSync(join(at.path, "a.txt")).mode).toBe(statSync(join(at.path, "other.txt")).mode);
  });

  test("has no diff where nothing changes", async () => {
    const at = workspace().files({ "a.txt": "same" });
    expect(await run(at, "a.txt", "same")).toEqual({ result: { path: "a.txt", created: false, bytes: 4 } });
  });

  test("says in the diff that what was there is no text", async () => {
    const at = workspace().files({ "a.bin": new Uint8Array([0, 1, 2]) });
    expect(await at.intent(write, { path: "a.bin", content: "text\n" })).toMatchObject({
      diff: "--- a/a.bin\n+++ b/a.bin\n@@ -0,0 +1,1 @@\n+text\n\\ What was there before is not text.\n",
    });
  });

  test("writes to where a link leads, and leaves the link", async () => {
    const at = workspace().files({ "AGENTS.md": "old" });
    symlinkSync("AGENTS.md", join(at.path, "CLAUDE.md"));
    expect(await run(at, "CLAUDE.md", "new")).toMatchObject({ result: { path: "AGENTS.md", created: false } });
    expect(at.text("AGENTS.md")).toBe("new");
    expect(lstatSync(join(at.path, "CLAUDE.md")).isSymbolicLink()).toBe(true);
  });

  test("cannot take the place of a folder, or lie below a file", async () => {
    const at = workspace().files({ "src/a.ts": "" });
    await expect(at.intent(write, { path: "src", content: "" })).rejects.toMatchObject({
      code: "tool_failed",
      message: "src is a folder. Use list to see what is in it.",
    });
    await expect(at.intent(write, { path: "src/a.ts/b", content: "" })).rejects.toMatchObject({
      code: "tool_failed",
      message: "src/a.ts/b cannot be: something above it is a file, not a folder.",
    });
  });

  test("leaves nothing behind when it fails", async () => {
    const at = workspace();
    await expect(run(at, `${"n".repeat(300)}`, "x")).rejects.toMatchObject({ code: "tool_failed" });
    await expect(run(at, "/proc/dragoman/x", "x")).rejects.toMatchObject({ code: "tool_failed" });
    expect(readdirSync(at.path)).toEqual([]);
  });

  test("refuses to take the place of what it cannot show", async () => {
    const at = workspace().files({ "big.txt": "x".repeat(11 * 1024 * 1024) });
    await expect(at.intent(write, { path: "big.txt", content: "" })).rejects.toMatchObject({
      code: "tool_failed",
      message: "big.txt has more than 10 MB. Change it by a command instead.",
    });
  });

  test("never shows half of a file to whoever reads it meanwhile", async () => {
    const at = workspace().files({ "a.txt": "a".repeat(100_000) });
    const seen = new Set<string>();
    let done = false;
    const reading = (async () => {
      while (!done) {
        seen.add(at.text("a.txt"));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (const letter of "bcdef") await run(at, "a.txt", letter.repeat(100_000));
    done = true;
    await reading;
    expect([...seen].filter((text) => text !== (text[0] ?? "").repeat(100_000))).toEqual([]);
  });
});

describe("the intent to write", () => {
  test("has a title, the target, the diff and what it is based on, and changes nothing", async () => {
    const at = workspace();
    const args = { path: "notes.txt", content: "hello" };
    const intent = await at.intent(write, args);
    expect(intent).toEqual({
      title: "Write notes.txt",
      targets: [{ path: "notes.txt", real: join(at.path, "notes.txt"), outside: false, control: false, writes: true }],
      path: "notes.txt",
      diff: "--- /dev/null\n+++ b/notes.txt\n@@ -0,0 +1,1 @@\n+hello\n\\ No newline at end of file\n",
      basis: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(readdirSync(at.path)).toEqual([]);
    expect(await at.intent(write, args)).toEqual(intent);
  });

  test("is based on the file's content, and on whether it is there at all", async () => {
    const at = workspace();
    const basis = async () => (await at.intent(write, { path: "a.txt", content: "x" })).basis;
    const bases = [await basis()];
    for (const content of ["", "absent", "1"]) {
      at.files({ "a.txt": content });
      bases.push(await basis());
    }
    expect(new Set(bases).size).toBe(4);
  });

  test("is bounded in its diff, also where the texts have nothing in common", async () => {
    const lines = (word: string) => Array.from({ length: 60_000 }, (_, i) => `${word} ${i * 7919}\n`).join("");
    const at = workspace().files({ "a.txt": `first\n${lines("old")}` });
    const started = performance.now();
    const { diff = "" } = await at.intent(write, { path: "a.txt", content: `first\n${lines("new")}` });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(diff.length).toBeLessThan(201_000);
    expect(diff).toMatch(/^--- a\/a.txt\n\+\+\+ b\/a.txt\n@@ -2,60000 \+2,60000 @@\n-old 0\n/);
    expect(diff).toMatch(/\n\\ The diff is cut here: it has \d+ characters\.\n$/);
  });

  test("quotes a name that would spoil the diff", async () => {
    const at = workspace();
    const { diff } = await at.intent(write, { path: "a\n+++ b/harmless", content: "x\n" });
    expect(diff).toBe('--- /dev/null\n+++ "b/a\\n+++ b/harmless"\n@@ -0,0 +1,1 @@\n+x\n');
  });
});

describe("write, where something leads out of the workspace", () => {
  const canary = (at: Workspace) => {
    mkdirSync(join(at.around, "out"));
    writeFileSync(join(at.around, "out/canary"), "untouched");
  };

  test.each<[string, (at: Workspace) => void, string]>([
    ["..", () => {}, "../out/canary"],
    ["a linked folder", (at) => symlinkSync("../out", join(at.path, "in")), "in/canary"],
    ["a link", (at) => symlinkSync("../out/canary", join(at.path, "a.txt")), "a.txt"],
    ["a link to nothing yet", (at) => symlinkSync("../out/new", join(at.path, "a.txt")), "a.txt"],
    ["a sibling called alike", (at) => mkdirSync(`${at.path}-evil`), "../app-evil/x"],
  ])("by %s, the intent says so", async (_name, prepare, path) => {
    const at = workspace();
    canary(at);
    prepare(at);
    expect((await at.intent(write, { path, content: "x" })).targets).toMatchObject([{ outside: true, writes: true }]);
  });

  test("writes there, since someone must have agreed to it", async () => {
    const at = workspace();
    canary(at);
    symlinkSync("../out/new/file", join(at.path, "dangling"));
    const real = join(at.around, "out/new/file");
    expect(await run(at, "dangling", "x")).toMatchObject({ result: { path: real, created: true, bytes: 1 } });
    expect(readFileSync(real, "utf8")).toBe("x");
    expect(lstatSync(join(at.path, "dangling")).isSymbolicLink()).toBe(true);
  });

  test.each<[string, (at: Workspace) => void]>([
    [
      "the file became a link",
      (at) => {
        rmSync(join(at.path, "sub/a.txt"));
        symlinkSync("../../out/canary", join(at.path, "sub/a.txt"));
      },
    ],
    [
      "the file became a link to nothing",
      (at) => {
        rmSync(join(at.path, "sub/a.txt"));
        symlinkSync("../../out/new", join(at.path, "sub/a.txt"));
      },
    ],
    [
      "its folder became a link",
      (at) => {
        rmSync(join(at.path, "sub"), { recursive: true });
        symlinkSync("../out", join(at.path, "sub"));
      },
    ],
  ])("refuses when %s after the intent was judged", async (_name, swap) => {
    const at = workspace().files({ "sub/a.txt": "inside" });
    canary(at);
    const args = write.args.parse({ path: "sub/a.txt", content: "x" });
    expect(await write.intent(args, at.context)).toMatchObject({ targets: [{ outside: false }] });
    swap(at);
    await expect(write.run(args, at.context, io)).rejects.toMatchObject({
      code: "conflict",
      message: "sub/a.txt leads elsewhere than when this was asked for. Look at it again.",
    });
    expect(readdirSync(join(at.around, "out"))).toEqual(["canary"]);
    expect(readFileSync(join(at.around, "out/canary"), "utf8")).toBe("untouched");
  });

  test("refuses when the file has another content than when the intent was judged", async () => {
    const at = workspace().files({ "a.txt": "shown" });
    const args = write.args.parse({ path: "a.txt", content: "x" });
    await write.intent(args, at.context);
    at.files({ "a.txt": "not shown" });
    await expect(write.run(args, at.context, io)).rejects.toMatchObject({
      code: "conflict",
      message: "a.txt was changed by someone else in the meantime. Read it again.",
    });
    expect(at.text("a.txt")).toBe("not shown");
    await write.intent(args, at.context);
    await write.run(args, at.context, io);
    expect(at.text("a.txt")).toBe("x");
  });

  test("says of a file outside neither that it is missing nor what is in it before someone agreed", async () => {
    const at = workspace();
    canary(at);
    expect(await at.intent(write, { path: "../out", content: "x" })).toEqual({
      title: "Write ../out",
      targets: [{ path: "../out", real: join(at.around, "out"), outside: true, control: false, writes: true }],
      path: "../out",
      basis: expect.any(String),
    });
    await expect(run(at, "../out", "x")).rejects.toMatchObject({ message: expect.stringContaining("is a folder") });
  });

  test("fails when the workspace is gone, and does not make it anew", async () => {
    const at = workspace();
    rmSync(at.path, { recursive: true });
    await expect(run(at, "a.txt", "x")).rejects.toMatchObject({
      code: "tool_failed",
      message: expect.stringMatching(/^The workspace .* is gone\. /),
    });
    expect(existsSync(at.path)).toBe(false);
  });
});
