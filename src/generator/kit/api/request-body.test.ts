import { expect, test } from "vitest";
import { field } from "./petstore.test.data.ts";
import { encodedBody } from "./request-body.ts";

const body = (mediaType: string, wrap?: string) => ({ mediaType, required: true, wrap });
const value = {
  name: "Zoë & co",
  tags: ["a", "b"],
  items: [{ id: 1 }, { id: 2 }],
  owner: { age: 3 },
};

test("JSON of any sort is JSON, below its wrapper", () => {
  expect([
    encodedBody(body("application/json"), { a: 1 }),
    encodedBody(body("application/vnd.api+json", "pet"), { a: 1 }),
    encodedBody(body("*/*"), { a: 1 }),
    encodedBody(body("application/json"), "text"),
  ]).toEqual([
    { content: '{"a":1}', contentType: "application/json" },
    { content: '{"pet":{"a":1}}', contentType: "application/vnd.api+json" },
    { content: '{"a":1}', contentType: "application/json" },
    { content: '"text"', contentType: "application/json" },
  ]);
});

test("forms nest with brackets", () => {
  const { content } = encodedBody(body("application/x-www-form-urlencoded"), value);
  const wrapped = encodedBody(body("application/x-www-form-urlencoded", "pet"), {
    name: "x",
    gone: null,
  });

  expect([...new URLSearchParams(content as string)]).toEqual([
    ["name", "Zoë & co"],
    ["tags[]", "a"],
    ["tags[]", "b"],
    ["items[0][id]", "1"],
    ["items[1][id]", "2"],
    ["owner[age]", "3"],
  ]);
  expect(wrapped.content).toBe("pet%5Bname%5D=x&pet%5Bgone%5D=");
});

test("multipart has a part for each value and each file", () => {
  const photo = new File(["x"], "a.png");

  expect(
    encodedBody(body("multipart/form-data"), { ...value, photos: [photo, photo], no: null }),
  ).toEqual({
    content: [
      { name: "name", value: "Zoë & co" },
      { name: "tags", value: "a" },
      { name: "tags", value: "b" },
      { name: "items", value: '{"id":1}' },
      { name: "items", value: '{"id":2}' },
      { name: "owner", value: '{"age":3}' },
      { name: "photos", value: photo, filename: "a.png" },
      { name: "photos", value: photo, filename: "a.png" },
    ],
  });
  expect(encodedBody(body("multipart/form-data", "pet"), { name: "x" }).content).toEqual([
    { name: "pet[name]", value: "x" },
  ]);
});

test("a file alone is the body itself, and text is sent as text", () => {
  const file = new File(["x"], "a.png", { type: "image/png" });
  const upload = { ...body("application/octet-stream"), field: field("file", "file") };

  expect([
    encodedBody(upload, file),
    encodedBody({ ...upload, mediaType: "image/*" }, file),
    encodedBody(body("text/plain"), "hello"),
  ]).toEqual([
    { content: file, contentType: "application/octet-stream" },
    { content: file, contentType: "image/png" },
    { content: "hello", contentType: "text/plain" },
  ]);
});
