import { expect, test } from "vitest";
import { isUuid } from "../core/ids.ts";
import { emptySummary } from "../core/summary.ts";
import { featureSessionId, openFeatureSessionId } from "./feature-session.ts";

test("a feature of a folder has one session, and no other feature or folder has it", () => {
  const ids = [
    featureSessionId("/projects/app", "001-login"),
    featureSessionId("/projects/app", "001-login"),
    featureSessionId("/projects/app", "002-login"),
    featureSessionId("/projects/other", "001-login"),
    featureSessionId('/projects/app","001', "login"),
  ];
  expect(ids.every(isUuid)).toBe(true);
  expect(ids[0]).toBe(ids[1]);
  expect(new Set(ids).size).toBe(4);
});

test("a feature whose session was closed goes on in another one", async () => {
  const [first, second] = [0, 1].map((generation) => featureSessionId("/projects/app", "001-login", generation));
  const closed: string[] = [];
  const store = {
    session: async (sessionId: string) => ({ ...emptySummary(sessionId), closed: closed.includes(sessionId) }),
  };
  expect(await openFeatureSessionId(store, "/projects/app", "001-login")).toBe(first);
  closed.push(first ?? "");
  expect(await openFeatureSessionId(store, "/projects/app", "001-login")).toBe(second);
});
