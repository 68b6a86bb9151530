import { expect, test } from "vitest";
import { OpenRequests } from "./open-requests.ts";

const request = (stamp: string) => ({ runId: "r", sessionId: "s", stamp });

test("a request is answered once, and only under the stamp it was made with", () => {
  const requests = new OpenRequests();
  requests.add(1, request("a"));
  requests.add("1", request("b"));
  expect([requests.answer(1, "b"), requests.answer(1, "a"), requests.answer(1, "a")]).toEqual([false, true, false]);
  expect([requests.get(1), requests.get("1"), requests.under("b")]).toEqual([undefined, request("b"), ["1"]]);
});

test("one that was refused is not waited for", () => {
  const requests = new OpenRequests();
  requests.add(1, request("a"));
  requests.remove(1);
  expect([requests.answer(1, "a"), requests.under("a")]).toEqual([false, []]);
});
