import { expect, test } from "vitest";
import type { Parameter } from "../descriptor.ts";
import { field } from "./petstore.test.data.ts";
import { queryPairs, simpleText } from "./request-parameters.ts";

const written = (style: Parameter["style"], value: Parameters<typeof queryPairs>[1]) =>
  queryPairs({ name: "a", in: "query", required: false, field: field("a", "json"), style }, value)
    .map((pair) => pair.join("="))
    .join("&");

test("several values are written in the parameter's style", () => {
  const several = [1, "b", true];

  expect({
    usual: written(undefined, several),
    repeat: written("repeat", several),
    comma: written("comma", several),
    space: written("space", several),
    pipe: written("pipe", several),
    brackets: written("brackets", several),
    json: written("json", several),
  }).toEqual({
    usual: "a=1&a=b&a=true",
    repeat: "a=1&a=b&a=true",
    comma: "a=1,b,true",
    space: "a=1 b true",
    pipe: "a=1|b|true",
    brackets: "a[]=1&a[]=b&a[]=true",
    json: 'a=[1,"b",true]',
  });
});

test("objects are written in the parameter's style", () => {
  const object = { x: 1, y: { z: [2, 3] } };

  expect({
    repeat: written("repeat", object),
    comma: written("comma", { x: 1, y: 2 }),
    deepObject: written("deepObject", object),
    json: written("json", object),
    nothing: written("repeat", null),
  }).toEqual({
    repeat: 'x=1&y={"z":[2,3]}',
    comma: "a=x,1,y,2",
    deepObject: "a[x]=1&a[y][z][]=2&a[y][z][]=3",
    json: 'a={"x":1,"y":{"z":[2,3]}}',
    nothing: "",
  });
});

test("paths and headers take values with commas", () => {
  expect([simpleText("x"), simpleText([1, 2]), simpleText({ a: 1 })]).toEqual(["x", "1,2", "a,1"]);
});
