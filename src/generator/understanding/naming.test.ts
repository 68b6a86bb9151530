import { expect, test } from "vitest";
import { api, listOf, object, ref, text, whole } from "./api-under-test.ts";
import { groupLabel } from "./naming.ts";
import { understand } from "./understand.ts";

const thing = object({ id: whole, name: text });
const names = (spec: ReturnType<typeof api>) =>
  understand(spec).resources.map(({ name, plural }) => (name === plural ? name : `${name}, ${plural}`));

test("what there is one of is called as its path says", () => {
  const one = { answer: thing };
  const spec = api({
    "GET /swarm": one,
    "PUT /swarm": { body: thing },
    "GET /system/metrics": one,
    "PUT /system/metrics": { body: thing },
  });
  expect(names(spec)).toEqual(["Swarm", "Metrics"]);
});

test("words that a path writes as one are told apart as in the name of the model", () => {
  const spec = api({ "GET /imagetags": { answer: listOf(ref("ImageTagSummary")) } }, { ImageTagSummary: thing });
  expect(names(spec)).toEqual(["Image tag, Image tags"]);
});

test("ways to look for a thing are called after the thing", () => {
  const rows = { answer: object({ rows: listOf(thing) }) };
  expect(names(api({ "GET /images/by_package": rows, "GET /projectsV2": rows }))).toEqual([
    "Image by package, Images by package",
    "Project v2, Projects v2",
  ]);
});

test("instead of a number, the summary tells lists of the same things apart", () => {
  const models = { Repository: object({ id: whole, name: text, owner: text }) };
  const spec = api(
    {
      "GET /repos/{owner}/{repo}": { answer: ref("Repository") },
      "PATCH /repos/{owner}/{repo}": { body: ref("Repository"), answer: ref("Repository") },
      "DELETE /repos/{owner}/{repo}": {},
      "GET /repositories": { answer: listOf(ref("Repository")), summary: "List public repositories" },
    },
    models,
  );
  expect(names(spec)).toEqual(["Repository, Repositories", "Public repository, Public repositories"]);
});

test("below a record, children are called in short, unless two would be called the same", () => {
  const list = { answer: listOf(thing) };
  const { resources } = understand(
    api({
      "GET /users/{id}": { answer: thing },
      "GET /teams": list,
      "GET /teams/{id}": { answer: thing },
      "GET /users/{id}/teams": list,
      "GET /users/{id}/old/notes": list,
      "GET /users/{id}/new/notes": list,
    }),
  );
  const user = resources.find(({ id }) => id === "user");
  const byId = new Map(resources.map((one) => [one.id, one.plural]));
  expect(user?.children?.map(({ label, resource }) => [label, byId.get(resource)])).toEqual([
    ["Teams", "User teams"],
    ["Old notes", "Old notes"],
    ["Notes", "Notes"],
  ]);
});

test("a heading gathers at least two, and is written for people", () => {
  const spec = api({
    "GET /cats": { answer: listOf(thing), tag: "PetsController" },
    "GET /dogs": { answer: listOf(thing), tag: "PetsController" },
    "GET /cows": { answer: listOf(thing), tag: "PetsController" },
    "GET /orders": { answer: listOf(thing), tag: "Orders" },
  });
  expect(understand(spec).resources.map(({ name, group }) => [name, group])).toEqual([
    ["Cat", "Pets"],
    ["Dog", "Pets"],
    ["Cow", "Pets"],
    ["Order", undefined],
  ]);
  expect(["Directory API", "V1 company", "email-templates", "JWKS", "API"].map(groupLabel)).toEqual([
    "Directory",
    "Company",
    "Email templates",
    "JWKS",
    "API",
  ]);
});
