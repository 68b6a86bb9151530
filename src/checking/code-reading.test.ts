import { expect, test } from "vitest";
import { codeReading } from "./code-reading.ts";
import { readCode } from "./read-code.ts";
import { refusedIn } from "./refused-in.ts";
import { turns } from "./turns.ts";

const app = "// @ts-ignore\nexport default () => <p>{eval}</p>;";
const long = `${"// Pets\n".repeat(30_000)}${app}`;
const tooLong = [{ what: "code that is too long", line: 1, column: 1 }];

test("short code and long code are read alike", async () => {
  expect(await codeReading(app)).toEqual(readCode(app));
  expect(await codeReading(long)).toEqual(readCode(long));
  expect(await refusedIn(app)).toEqual([{ what: "eval", line: 2, column: 26 }]);
});

test("nobody has to wait for long code", async () => {
  const stop = new AbortController();
  const reading = refusedIn(long, stop.signal);
  stop.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
});

test("what takes too long is refused", async () => {
  expect(await codeReading(long, undefined, { turns, longestMs: 1, resourceLimits: {} })).toEqual({
    unreadable: { stage: "parse", message: "The code cannot be read: it is too long (it took longer than 0.001 s)." },
    refused: tooLong,
    unchecking: [],
  });
});

test("so is what takes too much memory", async () => {
  const limits = { turns, longestMs: 60_000, resourceLimits: { maxOldGenerationSizeMb: 32 } };
  expect(await codeReading(`export default [${"[0],".repeat(200_000)}];`, undefined, limits)).toEqual({
    unreadable: {
      stage: "parse",
      message: expect.stringMatching(/^The code cannot be read: it is too long \(.*memory/),
    },
    refused: tooLong,
    unchecking: [],
  });
});
