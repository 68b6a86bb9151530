import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { projectFrame } from "./project-frame.ts";

const page = (title: string) =>
  projectFrame({ title, version: "1", protocol: "rest", servers: [], auth: [], summaries: [], actions: [] })[
    "index.html"
  ] ?? "";

test("the page is formatted, however long its title is", async () => {
  const words = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom("API", "of", "大きい", "☀️", "<b>", "&amp;", "{{x}}"),
  );
  const titles = fc.array(words, { maxLength: 60 }).map((all) => all.join(" "));
  expect(page("A very long title ".repeat(20))).toContain(
    `    <title>${"A very long title ".repeat(4)}A very l…</title>\n`,
  );
  await fc.assert(
    fc.asyncProperty(titles, async (title) => {
      const text = page(title);
      expect(await format(text, { parser: "html", printWidth: 100 })).toBe(text);
    }),
  );
});
