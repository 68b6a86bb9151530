import { expect, test } from "vitest";
import { api, object, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

test("figures go to the dashboard, and signing in goes with the credentials", () => {
  const { api: parts, resources } = understand(
    api({
      "GET /inventory": { answer: { type: "object", additionalProperties: whole } },
      "GET /stats": { answer: object({ users: whole, pets: whole, since: text }) },
      "GET /pets/count": { answer: object({ count: whole }) },
      "POST /login": { body: object({ name: text, password: text }) },
      "POST /oauth/token": { body: object({ grant_type: text }) },
      "POST /logout": {},
      "POST /convert": { body: object({ from: text }), answer: object({ to: text }) },
    }),
  );
  expect(resources).toEqual([]);
  expect(parts.summaries.map(({ kind, operation }) => [kind, operation.path])).toEqual([
    ["bars", "/inventory"],
    ["stats", "/stats"],
    ["value", "/pets/count"],
  ]);
  expect(parts.signIn?.map(({ kind, operation }) => [kind, operation.path])).toEqual([
    ["signIn", "/login"],
    ["signIn", "/oauth/token"],
    ["signOut", "/logout"],
  ]);
  expect(parts.actions.map(({ operation }) => operation.path)).toEqual(["/convert"]);
});
