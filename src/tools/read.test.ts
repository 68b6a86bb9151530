import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { read } from "./read.ts";

const workspace = temporaryWorkspaces();

describe("read", () => {
  test("gives a file as it is, and says how many lines it has", async () => {
    const at = workspace().files({ "a.txt": "one\r\ntwo\nthree" });
    expect(await at.run(read, { path: "a.txt" })).toEqual({
      result: { path: "a.txt", content: "one\r\ntwo\nthree", startLine: 1, totalLines: 3, truncated: false },
    });
  });

  test("gives the lines that are asked for", async () => {
    const at = workspace().files({ "a.txt": "1\n2\n3\n4\n5\n" });
    expect(await at.run(read, { path: "a.txt", startLine: 2, maxLines: 2 })).toEqual({
      result: { path: "a.txt", content: "2\n3\n", startLine: 2, totalLines: 5, truncated: true },
    });
    expect(await at.run(read, { path: "a.txt", startLine: 4, maxLines: 2 })).toEqual({
      result: { path: "a.txt", content: "4\n5\n", startLine: 4, totalLines: 5, truncated: false },
    });
    await expect(at.run(read, { path: "a.txt", startLine: 6 })).rejects.toMatchObject({
      code: "invalid_tool_args",
      message: "a.txt has 5 lines, so none is 6.",
    });
  });

  test("reads an empty file, and one with nothing but a mark", async () => {
    const at = workspace().files({ empty: "", marked: "\uFEFFx" });
    expect(await at.run(read, { path: "empty" })).toEqual({
      result: { path: "empty", content: "", startLine: 1, totalLines: 0, truncated: false },
    });
    expect(await at.run(read, { path: "marked" })).toMatchObject({ result: { content: "x", totalLines: 1 } });
  });

  test("cuts a long line and says so", async () => {
    const at = workspace().files({ "a.txt": `${"😀".repeat(300_000)}\nnext\n` });
    expect(await at.run(read, { path: "a.txt" })).toEqual({
      result: {
        path: "a.txt",
        content: `${"😀".repeat(1000)} ... [the line is cut here: it has 1200001 bytes]\nnext\n`,
        startLine: 1,
        totalLines: 2,
        truncated: true,
      },
    });
  });

  test("reads a huge file without having it all in memory, and gives no more than a bounded part", async () => {
    const at = workspace();
    const megabyte = `${"x".repeat(1023)}\n`.repeat(1024);
    for (let i = 0; i < 200; i++) appendFileSync(join(at.path, "big.log"), megabyte);
    const before = process.memoryUsage().rss;
    const { result } = await at.run(read, { path: "big.log", startLine: 100_000, maxLines: 10_000 });
    expect(result).toMatchObject({ startLine: 100_000, totalLines: 200 * 1024, truncated: true });
    expect((result as { content: string }).content.length).toBe(195 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("gives the beginning of a file that is too large to be counted", async () => {
    const at = workspace().files({ "sparse.txt": "begin\n".repeat(2000) });
    truncateSync(join(at.path, "sparse.txt"), 1024 ** 3);
    const { result } = await at.run(read, { path: "sparse.txt", maxLines: 1 });
    expect(result).toEqual({ path: "sparse.txt", content: "begin\n", startLine: 1, truncated: true });
  });

  test("refuses what is no text, no file, or not there", async () => {
    const at = workspace().files({ "image.png": new Uint8Array([137, 80, 78, 71, 0, 1]) });
    mkdirSync(join(at.path, "folder"));
    execFileSync("mkfifo", [join(at.path, "pipe")]);
    const failure = (message: string) => ({ code: "tool_failed", message });
    await expect(at.run(read, { path: "image.png" })).rejects.toMatchObject(
      failure("image.png is a binary file, so there is no text to read in it."),
    );
    await expect(at.run(read, { path: "folder" })).rejects.toMatchObject(
      failure("folder is a folder. Use list to see what is in it."),
    );
    await expect(at.run(read, { path: "pipe" })).rejects.toMatchObject(
      failure("pipe is not a regular file, so it is not opened."),
    );
    await expect(at.run(read, { path: "nope.txt" })).rejects.toMatchObject(
      failure("There is no nope.txt. Use list or glob to find what there is."),
    );
    await expect(at.run(read, { path: "image.png/x" })).rejects.toMatchObject(
      failure("image.png/x cannot be: something above it is a file, not a folder."),
    );
  });

  test("names what it would touch, and changes its basis with where that is", async () => {
    const at = workspace();
    writeFileSync(join(at.around, "x"), "outside");
    const intent = await at.intent(read, { path: "../x" });
    expect(intent).toEqual({
      title: "Read ../x",
      targets: [{ path: "../x", real: join(at.around, "x"), outside: true, control: false, writes: false }],
      basis: expect.any(String),
    });
    symlinkSync("y", join(at.around, "z"));
    expect((await at.intent(read, { path: "../x" })).basis).toBe(intent.basis);
    expect((await at.intent(read, { path: "../z" })).basis).not.toBe(intent.basis);
    expect(await at.run(read, { path: "../x" })).toMatchObject({ result: { content: "outside" } });
  });

  test("does not say before someone agreed whether there is a file outside of the workspace", async () => {
    expect(await workspace().intent(read, { path: "/nowhere/at/all" })).toMatchObject({
      title: "Read /nowhere/at/all",
    });
  });

  test("does not follow a link that was turned elsewhere since it was judged", async () => {
    const at = workspace().files({ "a.txt": "inside" });
    writeFileSync(join(at.around, "secret"), "outside");
    const args = read.args.parse({ path: "a.txt" });
    await read.intent(args, at.context);
    rmSync(join(at.path, "a.txt"));
    symlinkSync("../secret", join(at.path, "a.txt"));
    await expect(read.run(args, at.context, quietIo())).rejects.toMatchObject({
      code: "conflict",
      message: "a.txt leads elsewhere than when this was asked for. Look at it again.",
    });
  });

  test("stops when it is cancelled", async () => {
    const at = workspace().files({ "a.txt": "x" });
    await expect(at.run(read, { path: "a.txt" }, AbortSignal.abort())).rejects.toMatchObject({ code: "cancelled" });
  });

  test("says that the workspace is gone", async () => {
    const at = workspace();
    rmSync(at.path, { recursive: true });
    await expect(at.run(read, { path: "a.txt" })).rejects.toMatchObject({
      code: "tool_failed",
      message: expect.stringMatching(/^The workspace .* is gone\. /),
    });
  });
});
