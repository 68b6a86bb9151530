import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { specTools } from "../operations/tools/index.ts";
import { tools } from "./index.ts";

// The page about the tools says what their schemas say: names, risks, arguments, which of them may be left out, and their bounds.

const page = readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8");

interface Documented {
  risk: string | undefined;
  args: Record<string, { default: string; numbers: number[] }>;
}

const numbersIn = (text: string) => (text.replace(/(?<=\d) (?=\d{3})/g, "").match(/\d+/g) ?? []).map(Number);

const documented = Object.fromEntries(
  page
    .split(/^### /m)
    .slice(1)
    .map((section): [string, Documented] => {
      const [, name = ""] = /^`(\w+)`/.exec(section) ?? [];
      const rows = [...section.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) ?\| .*\|$/gm)];
      const args = rows.map(([, arg, type = "", given]) => [arg, { default: given, numbers: numbersIn(type) }]);
      return [name, { risk: /Risk: `(\w+)`/.exec(section)?.[1], args: Object.fromEntries(args) }];
    }),
);

const schema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ default: z.unknown().optional() })),
  required: z.array(z.string()).default([]),
});

/** The bounds that a reader has to know, as numbers; that nothing is empty goes without saying. */
function bounds(field: Record<string, unknown>): number[] {
  const least = field.type === "string" || field.minItems === undefined ? field.minimum : field.minItems;
  const most = field.maxLength ?? field.maxItems ?? field.maximum;
  return [least, most === Number.MAX_SAFE_INTEGER ? undefined : most].filter((bound) => typeof bound === "number");
}

const known = Object.fromEntries(
  [...tools, ...specTools(() => ({}))].map((tool): [string, Documented] => {
    const { properties, required } = schema.parse(z.toJSONSchema(tool.args, { io: "input" }));
    const args = Object.entries(properties).map(([name, field]) => {
      const given = field.default === undefined ? "*optional*" : `\`${JSON.stringify(field.default)}\``;
      return [name, { default: required.includes(name) ? "" : given, numbers: bounds(field) }];
    });
    return [tool.name, { risk: tool.risk, args: Object.fromEntries(args) }];
  }),
);

test("the page has every tool, with its risk and its arguments as the schema has them", () => {
  expect(documented).toEqual(known);
});

test("the page about permissions names the same tools", () => {
  const permissions = readFileSync(new URL("../../docs/permissions.md", import.meta.url), "utf8");
  const row = /^\| `tool` \| (.*) \|$/m.exec(permissions)?.[1] ?? "";
  const named = [...row.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  expect(named.sort()).toEqual(Object.keys(known).sort());
});
