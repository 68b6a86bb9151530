import { expect, test } from "vitest";

interface Lookout {
  now(): Promise<void>;
}
const { Lookout }: { Lookout: new (look: () => Promise<number | undefined>) => Lookout } = await import(
  new URL("lookout.js", import.meta.url).href
);

test("a lookout never looks twice at a time, and once more for all who asked meanwhile", async () => {
  const looks: (() => void)[] = [];
  const lookout = new Lookout(() => new Promise((resolve) => looks.push(() => resolve(undefined))));
  const asked = [lookout.now(), lookout.now(), lookout.now()];
  expect(looks.length).toBe(1);
  looks[0]?.();
  await new Promise(setImmediate);
  expect(looks.length).toBe(2);
  looks[1]?.();
  await Promise.all(asked);
  expect(looks.length).toBe(2);
});

test("a lookout goes on after a look that failed", async () => {
  let fails = true;
  const lookout = new Lookout(async () => {
    if (fails) throw new Error("not now");
    return undefined;
  });
  await expect(lookout.now()).rejects.toThrow("not now");
  fails = false;
  await lookout.now();
});
