import { expect, test } from "vitest";
import { shownDiff } from "./copilot-diff.ts";

const section = (from: string, to: string, lines: string, kind = "") =>
  `diff --git a${from} b${to}\n${kind}index 0000000..0000000 100644\n--- a${from}\n+++ b${to}\n${lines}`;

test("a diff of Copilot's is shown as our own tools give it: without git's lines, by the paths that the user knows", () => {
  const diff = `\n${section("/dev/null", "/w/new.txt", "@@ -1,0 +1,1 @@\n+hello\n\n", "create file mode 100644\n")}`;
  expect(shownDiff(diff, "/w")).toBe("--- /dev/null\n+++ b/new.txt\n@@ -1,0 +1,1 @@\n+hello\n");
});

test("every file of it is shown, and one elsewhere by its whole path", () => {
  const change = "@@ -1,1 +1,1 @@\n-a\n+b\n";
  const diff = section("/w/a", "/w/a", change) + section("/etc/b", "/etc/b", change);
  expect(shownDiff(diff, "/w")).toBe(`--- a/a\n+++ b/a\n${change}--- a/etc/b\n+++ b/etc/b\n${change}`);
});

test("a file that was only looked at is told as a diff, too, in which nothing changes: there is none to show", () => {
  expect(shownDiff(section("/w/a", "/w/a", "@@ -1,1 +1,1 @@\n a\n"), "/w")).toBeUndefined();
});

test("a diff that a command has printed changes nothing", () => {
  const printed = "diff --git a/x b/x\nindex 5626abf..f719efd 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  expect(shownDiff(printed, "/w")).toBeUndefined();
  expect(shownDiff("no diff at all", "/w")).toBeUndefined();
});
