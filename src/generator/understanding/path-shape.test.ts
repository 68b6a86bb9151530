import { expect, test } from "vitest";
import { keyOf, looseKeyOf, shapeOf } from "./path-shape.ts";

const shape = (place: string): (string | undefined)[] => {
  const [method = "", path = ""] = place.split(" ");
  const { steps, verb, qualifier } = shapeOf(path, method);
  return [keyOf(steps), verb, qualifier];
};

test.each([
  ["GET /pets/{petId}", ["pets/{}", undefined, undefined]],
  ["GET /api/v1/pets.json", ["api/v1/pets", undefined, undefined]],
  ["GET /pets/", ["pets", undefined, undefined]],
  ["GET /pet/findByStatus", ["pet", "list", "by status"]],
  ["POST /user/createWithList", ["user", "create", "with list"]],
  ["GET /containers/json", ["containers", "list", undefined]],
  ["GET /containers/{id}/json", ["containers/{}", "get", undefined]],
  ["POST /containers/create", ["containers", "create", undefined]],
  ["POST /containers/{id}/update", ["containers/{}", "update", undefined]],
  ["GET /users.list", ["users", "list", undefined]],
  ["GET /getUsers", ["users", "get", undefined]],
  ["GET /articles/get/{id}/history", ["articles/{}/history", undefined, undefined]],
  ["POST /v1/jobs/{name}:cancel", ["v1/jobs/{}/cancel", undefined, undefined]],
  ["GET /Users({id})", ["users/{}", undefined, undefined]],
  ["GET /search/issues", ["search/issues", undefined, undefined]],
  ["DELETE /things/create", ["things/create", undefined, undefined]],
  ["GET /", ["", undefined, undefined]],
])("%s is understood", (place, expected) => {
  expect(shape(place)).toEqual(expected);
});

test("a path and its singular have one loose key", () => {
  const keys = ["/users/{id}/posts", "/user/{userId}/post"].map((path) => looseKeyOf(shapeOf(path, "GET").steps));
  expect(keys).toEqual(["user/{}/post", "user/{}/post"]);
});
