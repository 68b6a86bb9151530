import { expect, test } from "vitest";
import type { Json } from "../descriptor.ts";
import { errorsByField } from "./field-errors.ts";
import { field, operation } from "./petstore.test.data.ts";

const createPet = operation("createPet", "POST", "/pets", {
  params: [{ name: "notify", in: "query", field: field("notify", "boolean"), required: false }],
  body: {
    mediaType: "application/json",
    required: true,
    wrap: "pet",
    fields: [
      field("name", "text"),
      field("birthDate", "date"),
      field("owner", "object", { fields: [field("email", "email")] }),
      field("tags", "list", { item: field("tag", "object", { fields: [field("label", "text")] }) }),
    ],
  },
});

const shapes: [string, Json, Record<string, string>][] = [
  ["Rails", { errors: { name: ["is too short", "is odd"] } }, { name: "is too short" }],
  [
    "Laravel",
    { message: "Invalid.", errors: { "tags.0.label": ["Too long."] } },
    { "tags.0.label": "Too long." },
  ],
  [
    "ASP.NET",
    { title: "Invalid", errors: { "Owner.Email": ["Not an address."] } },
    { "owner.email": "Not an address." },
  ],
  [
    "RFC 7807",
    { "invalid-params": [{ name: "name", reason: "must be set" }] },
    { name: "must be set" },
  ],
  [
    "FastAPI",
    { detail: [{ loc: ["body", "tags", 0, "label"], msg: "Field required" }] },
    { "tags.0.label": "Field required" },
  ],
  [
    "FastAPI, of a parameter",
    { detail: [{ loc: ["query", "notify"], msg: "Bad" }] },
    { notify: "Bad" },
  ],
  [
    "Spring",
    { status: 400, errors: [{ field: "owner.email", defaultMessage: "must not be blank" }] },
    { "owner.email": "must not be blank" },
  ],
  [
    "Symfony",
    { violations: [{ propertyPath: "tags[0].label", message: "Blank." }] },
    { "tags.0.label": "Blank." },
  ],
  [
    "GitHub",
    {
      message: "Validation Failed",
      errors: [{ resource: "Pet", field: "name", code: "missing_field" }],
    },
    { name: "Missing field." },
  ],
  [
    "JSON:API",
    { errors: [{ detail: "can't be blank", source: { pointer: "/data/attributes/birth-date" } }] },
    { birthDate: "can't be blank" },
  ],
  [
    "Stripe",
    { error: { type: "invalid_request_error", param: "owner[email]", message: "No such mail" } },
    { "owner.email": "No such mail" },
  ],
  [
    "Google",
    {
      error: {
        code: 400,
        details: [{ fieldViolations: [{ field: "pet.name", description: "Required" }] }],
      },
    },
    { name: "Required" },
  ],
  [
    "Joi",
    { details: [{ path: ["tags", 1, "label"], message: '"label" is bad' }] },
    { "tags.1.label": '"label" is bad' },
  ],
  [
    "Django",
    { name: ["This field may not be blank."], birth_date: ["Wrong format."] },
    { name: "This field may not be blank.", birthDate: "Wrong format." },
  ],
  [
    "Mongoose",
    { errors: { name: { message: "Path `name` is required.", kind: "required" } } },
    { name: "Path `name` is required." },
  ],
  [
    "express-validator",
    { errors: [{ type: "field", path: "name", msg: "Invalid value", location: "body" }] },
    { name: "Invalid value" },
  ],
  ["NestJS", { statusCode: 400, message: ["name must be longer"], error: "Bad Request" }, {}],
  ["nothing of the kind", { message: "No." }, {}],
];

test.each(shapes)("finds the messages for fields in the shape of %s", (_, answer, expected) => {
  expect(errorsByField(createPet, answer)).toEqual(expected);
});

test("names of prototypes are names like others", () => {
  const answer = JSON.parse('{"errors": {"__proto__": ["no"], "constructor": ["nor this"]}}');

  expect(Object.entries(errorsByField(createPet, answer))).toEqual([
    ["__proto__", "no"],
    ["constructor", "nor this"],
  ]);
});
