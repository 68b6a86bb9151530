import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.UTC(2026, 0, 1);

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "2", "retry-after-ms": "150" }, 150],
  [{ "retry-after": new Date(now + 3000).toUTCString() }, 3000],
  [{ "retry-after": new Date(now - 3000).toUTCString() }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "1e9" }, undefined],
])("%j is to wait so many milliseconds: %j", (headers, ms) => {
  expect(retryAfterMs(new Headers(headers), now)).toBe(ms);
});
