import { expect, test } from "vitest";
import { LogLines } from "./log-lines.ts";

function lines(...chunks: (string | number[])[]): string[] {
  const found: string[] = [];
  const log = new LogLines((line) => found.push(line));
  for (const chunk of chunks) log.push(typeof chunk === "string" ? Buffer.from(chunk) : Uint8Array.from(chunk));
  log.end();
  return found;
}

test.each<[what: string, chunks: (string | number[])[], found: string[]]>([
  ["several in a chunk, and one in several", ["a\nb", "b", "b\n\nc\n"], ["a", "bbb", "c"]],
  ["one without an end", ["a\nlast words"], ["a", "last words"]],
  ["line ends of Windows", ["a\r\nb\r\n"], ["a", "b"]],
  ["characters in pieces", [[0xc3], [0xa9, 0x0a], [0xf0, 0x9f, 0xa6], [0x9c]], ["é", "🦜"]],
  ["what is no text", [[0x61, 0xff, 0x0a], [0xc3]], ["a\ufffd", "\ufffd"]],
  ["what is too long", ["x".repeat(6000), "x".repeat(6000), `${"x".repeat(6000)}\nnext`], ["x".repeat(8192), "next"]],
])("the lines of a log: %s", (_, chunks, found) => {
  expect(lines(...chunks)).toEqual(found);
});
