import { expect, test } from "vitest";
import { commandWords } from "./command-words.ts";

test.each<[string, string[]]>([
  ["", []],
  ["  ", []],
  [" my-agent  --acp ", ["my-agent", "--acp"]],
  [`"/opt/my agent" --name='a "b"' x""y`, ["/opt/my agent", '--name=a "b"', "xy"]],
  [`a "" b`, ["a", "", "b"]],
  ["a $HOME;rm *|b", ["a", "$HOME;rm", "*|b"]],
])("%j has the words %j", (line, words) => {
  expect(commandWords(line)).toEqual(words);
});

test.each([`a "b`, `a 'b c`, `"`])("%j has a quote without an end", (line) => {
  expect(() => commandWords(line)).toThrow("has a quote without an end");
});
