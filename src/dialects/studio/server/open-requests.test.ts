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

test("one that was answered is known by its id for a while, and one that was made again is the open one", () => {
  const requests = new OpenRequests();
  for (let id = 0; id <= 1000; id++) {
    requests.add(id, request(`${id}`));
    requests.answer(id, `${id}`);
  }
  const known = [0, 1, 1000, "1"].map((id) => requests.answered(id)?.stamp);
  expect(known).toEqual([undefined, "1", "1000", undefined]);
  requests.add(1, request("again"));
  expect([requests.get(1)?.stamp, requests.answered(1)?.stamp]).toEqual(["again", "1"]);
  requests.answer(1, "again");
  requests.add(2000, request("one more"));
  requests.answer(2000, "one more");
  expect([requests.answered(1)?.stamp, requests.answered(2)]).toEqual(["again", undefined]);
});

test("one that was refused is not waited for", () => {
  const requests = new OpenRequests();
  requests.add(1, request("a"));
  requests.remove(1);
  expect([requests.answer(1, "a"), requests.under("a"), requests.answered(1)]).toEqual([false, [], undefined]);
});
