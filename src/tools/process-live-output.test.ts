import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { ProcessLiveOutput } from "./process-live-output.ts";

function output(show: (text: string) => Promise<void>) {
  const stream = new PassThrough();
  let heard = 0;
  const live = new ProcessLiveOutput([stream], show, (text) => {
    heard += text.length;
  });
  return { stream, live, heard: () => heard };
}

test("many small pieces become few, and no character is broken", async () => {
  const shown: string[] = [];
  const { stream, live } = output(async (text) => {
    shown.push(text);
  });
  for (const byte of Buffer.from("grüße 👍 ".repeat(200))) stream.write(Buffer.of(byte));
  stream.end();
  await once(stream, "end");
  await live.end();
  expect(shown.join("")).toBe("grüße 👍 ".repeat(200));
  expect(shown.length).toBeLessThan(10);
});

test("one that does not take what is said makes the process wait", async () => {
  let release = () => {};
  const shown: number[] = [];
  const { stream, live, heard } = output((text) => {
    shown.push(text.length);
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  stream.write("x");
  await vi.waitFor(() => expect(shown).toEqual([1]));
  const piece = "y".repeat(50_000);
  for (let count = 0; count < 10; count += 1) stream.write(piece);
  await vi.waitFor(() => expect(live.blocked).toBe(true));
  expect(stream.isPaused()).toBe(true);
  expect(heard()).toBeLessThan(200_000);
  release();
  await vi.waitFor(() => expect(shown.length).toBe(2));
  const releasing = setInterval(() => release(), 1);
  stream.end();
  await once(stream, "end");
  await live.end();
  clearInterval(releasing);
  expect(shown.reduce((sum, length) => sum + length, 0)).toBe(500_001);
});

test("after a megabyte it says that there is more, once, and hears the rest", async () => {
  let shown = "";
  const { stream, live, heard } = output(async (text) => {
    shown += text;
  });
  for (let count = 0; count < 30; count += 1) stream.write("z".repeat(100_000));
  stream.end();
  await once(stream, "end");
  await live.end();
  expect(shown).toBe(
    `${"z".repeat(1024 * 1024)}\n[There is more than 1 MB of output. The rest is not shown while it runs.]\n`,
  );
  expect(heard()).toBe(3_000_000);
});
