import { expect, test } from "vitest";
import type { Resource, Scope } from "../descriptor.ts";
import { childQuery, missingScopes, scopeOf } from "./scope.ts";

const scopeNamed = (param: string, more: Partial<Scope> = {}): Scope => ({
  param,
  field: { name: param, label: param, kind: "text" },
  ...more,
});

function resource(id: string, scopes: Scope[]): Resource {
  const key = { field: "id", param: `${id}Id` };
  return { id, name: id, plural: id, fields: [], columns: [], lists: [], actions: [], key, scopes };
}

test("scopes are read from an address, and those without a value are missing", () => {
  const issues = resource("issue", [scopeNamed("owner"), scopeNamed("repo")]);
  const scope = scopeOf(issues, { owner: "ada", repo: "", page: "2" });
  expect(scope).toEqual({ owner: "ada" });
  expect(missingScopes(issues, scope).map(({ param }) => param)).toEqual(["repo"]);
});

test("what lies below a record is named by it, and lies below the same as the record", () => {
  const repos = resource("repo", [scopeNamed("owner")]);
  const issues = resource("issue", [scopeNamed("owner"), scopeNamed("repo", { from: "name" })]);
  const row = { id: 12, name: "engine" };
  expect(childQuery(repos, row, { owner: "ada" }, issues, "repo")).toEqual({
    owner: "ada",
    repo: "engine",
  });
});

test("a filter takes the key of the record", () => {
  const pets = resource("pet", []);
  expect(childQuery(pets, { id: 12 }, {}, resource("order", []), "petId")).toEqual({ petId: "12" });
});
