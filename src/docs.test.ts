import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// What a newcomer reads leads somewhere: every link to a file or a heading, and from every protocol to a program that a test runs.

const root = fileURLToPath(new URL("..", import.meta.url));
const filesIn = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
const pages = [
  "README.md",
  ...["docs", "examples"].flatMap((folder) => filesIn(folder).map((name) => `${folder}/${name}`)),
]
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".md"));
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Without what is code, where brackets are no links. */
const proseOf = (path: string) =>
  textOf(path)
    .replace(/^```.*?^```/gms, "")
    .replace(/`[^`\n]*`/g, "code");

function linksOf(path: string): string[] {
  return [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to).filter((to) => !/^[a-z]+:/.test(to));
}

/** As a reader of Markdown names them. */
function headingsOf(path: string): string[] {
  const text = textOf(path).replace(/^```.*?^```/gms, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

describe.each(pages)("%s", (page) => {
  test("has no link that leads nowhere", () => {
    const dead = linksOf(page).filter((link) => {
      const [to = "", heading] = link.split("#");
      const path = to === "" ? page : posix.join(posix.dirname(page), to);
      if (!existsSync(join(root, path))) return true;
      return heading !== undefined && path.endsWith(".md") && !headingsOf(path).includes(heading);
    });
    expect(dead).toEqual([]);
  });
});

const protocols = filesIn("docs/protocols").map((name) => `docs/protocols/${name}`);
const tests = filesIn("src").filter((name) => name.endsWith(".test.ts") && name !== "docs.test.ts");

test("there is a page for every protocol", () => {
  const names = ["live", "operations", "sidecar", "studio", "ui"];
  expect(protocols.sort()).toEqual(names.map((name) => `docs/protocols/${name}.md`));
});

test.each(protocols)("%s leads to a program that a test runs", (page) => {
  const examples = linksOf(page)
    .map((link) => posix.join(posix.dirname(page), link))
    .filter((path) => path.startsWith("examples/"));
  const names = examples.map((path) => (path.endsWith("README.md") ? dirname(path) : path).replace("examples/", ""));
  const run = names.filter((name) => tests.some((file) => textOf(`src/${file}`).includes(name)));
  expect(run).not.toEqual([]);
});
