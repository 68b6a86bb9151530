import { expect, test } from "vitest";
import { SeenRequests } from "./seen-requests.ts";

const MB = 1024 * 1024;
const request = (path: string) => ({ method: "GET", path, headers: {}, body: "" });

function paths(bytes: number[]): string[] {
  const seen = new SeenRequests();
  const { list } = seen; // which can be held on to
  for (const [i, size] of bytes.entries()) seen.add(request(`/${i}`), size);
  return list.map(({ path }) => path);
}

test("the last thousand requests are kept, oldest first", () => {
  const kept = paths(Array(1002).fill(10));
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, "/2", "/1001"]);
});

test("no more than so many bytes of them are kept, and the last one always", () => {
  expect(paths([20 * MB, 20 * MB, 20 * MB, 20 * MB])).toEqual(["/1", "/2", "/3"]);
  expect(paths([MB, MB, 65 * MB])).toEqual(["/2"]);
  expect(paths([65 * MB, MB])).toEqual(["/1"]);
});
