import { expect, test } from "vitest";

interface Run {
  command: string;
  description?: string;
  others: object;
}
const { commandIn, argLines }: { commandIn(args: unknown): Run | undefined; argLines(args: unknown): string } =
  await import(new URL("command-args.js", import.meta.url).href);

test("what an agent says of a command is told where it is more than the command", () => {
  const descriptionOf = (description: string) =>
    commandIn({ command: "npm test -- --watch", description })?.description;
  for (const same of [
    "npm test -- --watch",
    "Run npm test --  --watch",
    "run: `npm test -- --watch`",
    "Run npm test …",
    " ",
  ])
    expect(descriptionOf(same)).toBeUndefined();
  expect(descriptionOf("Run the unit tests")).toBe("Run the unit tests");
});

test("no argument besides is lost, and a call without a command is none", () => {
  expect(commandIn({ command: "ls", description: 5, cwd: "app" })).toEqual({
    command: "ls",
    others: { description: 5, cwd: "app" },
  });
  for (const args of [undefined, null, "ls", [], { command: ["ls"] }]) expect(commandIn(args)).toBeUndefined();
});

test("no value, and no name, of an argument looks like another argument", () => {
  expect(argLines({ to: "staging", times: 2, "a: b\nc": "", text: "one\ncwd: /safe", more: { cwd: "x" } })).toBe(
    'to: staging\ntimes: 2\n"a: b\\nc": \ntext: "one\\ncwd: /safe"\nmore: {\n  "cwd": "x"\n}',
  );
  expect([argLines({}), argLines(undefined), argLines(["a"])]).toEqual(["", "", '[\n  "a"\n]']);
});
