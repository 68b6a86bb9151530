import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LastWords } from "./last-words.ts";

function after(printed: string, ...strays: string[]): string {
  const stderr = new PassThrough();
  const words = new LastWords(stderr);
  stderr.write(printed);
  stderr.read();
  for (const line of strays) words.addStray(line);
  return words.text;
}

test("they are the last lines of what it printed", () => {
  const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
  expect(after(`${lines.join("\n")}\n\n`)).toBe(lines.slice(4).join("\n"));
});

test("what it noted for its developers is left out, unless there is nothing else", () => {
  const noise = "[DEBUG] one\n2026-01-02T03:04:05Z debug: two\ntrace three\n";
  expect(after(`${noise}Error: no key\n${noise}`)).toBe("Error: no key");
  expect(after(noise)).toBe(noise.trim());
  expect(after("debugging is off: no key\n")).toBe("debugging is off: no key");
});

test("one that prints nothing is known by what it wrote in place of its protocol", () => {
  expect(after("", "usage: agent", "  --acp")).toBe("usage: agent\n  --acp");
  expect(after("no key\n", "usage: agent")).toBe("no key");
});
