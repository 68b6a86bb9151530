import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { boundedOutput } from "./serve-output.ts";

/** Takes a line when it is told to. */
function reluctant() {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const output = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (chunk, _, done) => void waiting.push(() => done(void (chunk !== "" && lines.push(chunk)))),
  });
  const readAll = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      next();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { output, lines, readAll };
}

test("drops lines for which nobody makes room, and tells how many when someone does", async () => {
  const { output, lines, readAll } = reluctant();
  const log = boundedOutput(output, 10);
  for (const line of ["aaaaaa\n", "bbbbbb\n", "cccccc\n", "dddddd\n"]) log.write(line);
  await readAll();
  log.write("eeeeee\n");
  await readAll();
  expect(lines).toEqual(["aaaaaa\n", "bbbbbb\n", '{"level":"warn","event":"log.dropped","lines":2}\n', "eeeeee\n"]);
});

test("is flushed when all was read, and waits no longer than it is told to for whoever does not read", async () => {
  const { output, readAll } = reluctant();
  const log = boundedOutput(output);
  await log.flushed(60_000);
  log.write("aaaaaa\n");
  await log.flushed(1);
  const flushed = log.flushed(60_000);
  await readAll();
  await flushed;
});

test("an output that is gone costs nothing", async () => {
  const output = new Writable({ write: (_, __, done) => done(new Error("EPIPE")) });
  const log = boundedOutput(output);
  log.write("aaaaaa\n");
  await log.flushed(60_000);
  log.write("bbbbbb\n");
  await log.flushed(60_000);
});
