import { expect, test } from "vitest";

const { AtMost } = (await import(new URL("./at-most.js", import.meta.url).href)) as {
  AtMost: new (most: number) => { run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> };
};

test("so many work at once, the rest in their turn, and who is not wanted any more never", async () => {
  const [atMost, begun, ends] = [new AtMost(2), [] as string[], new Map<string, () => void>()];
  const ask = (name: string, signal = new AbortController().signal) =>
    atMost.run(() => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, () => (name === "b" ? reject(new Error("b failed")) : resolve(`${name} ended`)));
      });
    }, signal);
  const left = new AbortController();
  const [a, b, c, d] = [ask("a"), ask("b"), ask("c", left.signal), ask("d")];
  const refused = ask("e", AbortSignal.abort(new Error("too late")));
  left.abort(new Error("not wanted"));
  await expect(c).rejects.toThrow("not wanted");
  await expect(refused).rejects.toThrow("too late");
  expect(begun).toEqual(["a", "b"]);
  ends.get("b")?.();
  await expect(b).rejects.toThrow("b failed");
  await expect.poll(() => begun).toEqual(["a", "b", "d"]);
  for (const name of ["a", "d"]) ends.get(name)?.();
  expect(await Promise.all([a, d])).toEqual(["a ended", "d ended"]);
});
