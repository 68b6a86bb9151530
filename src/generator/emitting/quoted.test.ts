import { format } from "prettier";
import { expect, test } from "vitest";
import { keyText, quoted } from "./quoted.ts";

const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
  /[^\p{Cn}\p{Cs}\p{Co}\p{Script=Han}\p{Script=Hangul}]/u.test(one),
);

test("a key is in quotes where Prettier leaves it in quotes", async () => {
  // Prettier takes it for a letter, and a compiler does not.
  const keys = [...characters, ...["名称", "한국", "𠮷", "\u9fff"]]
    .filter((key) => key !== "\u2e2f")
    .map((key) => `a${key}`);
  const text = (written: (key: string) => string) =>
    `it = {\n${keys.map((key) => `  ${written(key)}: 1,\n`).join("")}};\n`;
  expect(text(keyText)).toBe(await format(text(quoted), { parser: "typescript" }));
  expect(keyText("\u2e2f")).toBe('"\u2e2f"');
});
