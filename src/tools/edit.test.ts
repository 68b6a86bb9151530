import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { edit } from "./edit.ts";

const workspace = temporaryWorkspaces();

async function edited(text: string, args: Record<string, unknown>): Promise<string> {
  const at = workspace().files({ "a.txt": text });
  await at.run(edit, { path: "a.txt", ...args });
  return at.text("a.txt");
}

describe("edit", () => {
  test("replaces a text that is there once", async () => {
    const at = workspace().files({ "src/a.ts": "one\ntwo\nthree\nfour\nfive\nsix\n" });
    const args = { path: "src/a.ts", find: "five", replace: "5" };
    const diff = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -2,5 +2,5 @@\n two\n three\n four\n-five\n+5\n six\n";
    expect(await at.intent(edit, args)).toEqual({
      title: "Edit src/a.ts",
      targets: [{ path: "src/a.ts", real: join(at.path, "src/a.ts"), outside: false, control: false, writes: true }],
      path: "src/a.ts",
      diff,
      basis: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await at.run(edit, args)).toEqual({ result: { path: "src/a.ts", replacements: 1 }, diff });
    expect(at.text("src/a.ts")).toBe("one\ntwo\nthree\nfour\n5\nsix\n");
  });

  test("replaces all of them only when it is asked to", async () => {
    const at = workspace().files({ "a.txt": "x x x" });
    await expect(at.intent(edit, { path: "a.txt", find: "x", replace: "y" })).rejects.toMatchObject({
      code: "tool_failed",
      message: "The text to be replaced is in a.txt 3 times. Give more of what is around it, or set all to true.",
    });
    expect(await at.run(edit, { path: "a.txt", find: "x", replace: "xx", all: true })).toMatchObject({
      result: { path: "a.txt", replacements: 3 },
    });
    expect(at.text("a.txt")).toBe("xx xx xx");
  });

  test("takes both texts literally", async () => {
    expect(await edited("a.b $&", { find: ".b", replace: "$&$1$$" })).toBe("a$&$1$$ $&");
  });

  test("keeps line ends, also in what is new, whichever way the text is given", async () => {
    expect(await edited("a\r\nb\r\nc\r\n", { find: "a\nb", replace: "x\ny\nz" })).toBe("x\r\ny\r\nz\r\nc\r\n");
    expect(await edited("a\r\nb\r\n", { find: "a\r\nb", replace: "x\r\ny" })).toBe("x\r\ny\r\n");
    expect(await edited("a\r\nb", { find: "b", replace: "b\n" })).toBe("a\r\nb\r\n");
    expect(await edited("a\r\nb\nc\n", { find: "b\nc", replace: "x\ny" })).toBe("a\r\nx\ny\n");
    expect(await edited("a\nb", { find: "b", replace: "c" })).toBe("a\nc");
  });

  test("keeps the mark at the beginning of a file", async () => {
    expect(await edited("\uFEFFfirst\n", { find: "first", replace: "1st" })).toBe("\uFEFF1st\n");
  });

  test("says why it cannot be done before anyone is asked", async () => {
    const at = workspace().files({
      "a.txt": "text",
      "b.bin": new Uint8Array([0]),
      "c.txt": new Uint8Array([0x66, 0xfc]),
    });
    const failure = (path: string, find = "text", replace = "x") =>
      at.intent(edit, { path, find, replace }).catch(({ code, message }) => `${code}: ${message}`);
    expect(await failure("nope.txt")).toBe("tool_failed: There is no nope.txt. Use write to make it.");
    expect(await failure("a.txt", "Text")).toBe(
      "tool_failed: The text to be replaced is not in a.txt. Read the file, and copy the text exactly, spaces included.",
    );
    expect(await failure("a.txt", "t", "t")).toBe(
      "invalid_tool_args: find and replace are the same, so nothing would change.",
    );
    expect(await failure("b.bin")).toBe("tool_failed: b.bin is not UTF-8 text, so it cannot be edited.");
    expect(await failure("c.txt")).toBe("tool_failed: c.txt is not UTF-8 text, so it cannot be edited.");
    expect(edit.args.safeParse({ path: "a.txt", find: "", replace: "x" }).success).toBe(false);
  });

  test("does not grow a file without bound", async () => {
    const at = workspace().files({ "a.txt": "x".repeat(1000) });
    const args = { path: "a.txt", find: "x", replace: "y".repeat(100_000), all: true };
    await expect(at.intent(edit, args)).rejects.toMatchObject({
      code: "tool_failed",
      message: "a.txt would become too large. Replace less at once.",
    });
  });

  test("does not tell what is in a file outside before someone agreed", async () => {
    const at = workspace();
    writeFileSync(join(at.around, "secret"), "password=hunter2");
    const guess = (find: string) => at.intent(edit, { path: "../secret", find, replace: "x" });
    expect(await guess("password=hunter1")).toMatchObject({ title: "Edit ../secret", targets: [{ outside: true }] });
    expect(await guess("password=hunter2")).toMatchObject({ title: "Edit ../secret", targets: [{ outside: true }] });
    await expect(at.run(edit, { path: "../secret", find: "nope", replace: "x" })).rejects.toMatchObject({
      code: "tool_failed",
    });
    await at.run(edit, { path: "../secret", find: "hunter2", replace: "x" });
    expect(at.text("../secret")).toBe("password=x");
  });

  test("leaves all else as it is", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "é", " "), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        expect(await edited(`${before}<here>${after}`, { find: "<here>", replace: "<there>" })).toBe(
          `${before}<there>${after}`,
        );
      }),
      { numRuns: 50 },
    );
  });
});
