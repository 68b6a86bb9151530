import { expect, test } from "vitest";
import type { ApiDescriptor, Field, Parameter, Resource } from "../kit/descriptor.ts";
import { literal } from "./literal.ts";
import { sharedParts } from "./shared-parts.ts";

const field = (name: string, more: Partial<Field> = {}): Field => ({ name, label: name, kind: "text", ...more });

const resource = (id: string, fields: Field[], params: Parameter[] = []): Resource => ({
  id,
  name: id,
  plural: id,
  fields,
  columns: [],
  lists: [],
  detail: { id, method: "GET", path: `/${id}`, params },
  actions: [],
});

const api: ApiDescriptor = {
  title: "T",
  version: "1",
  protocol: "rest",
  servers: [],
  auth: [],
  summaries: [],
  actions: [],
};

const person = () =>
  "id login email company location blog bio website city country".split(" ").map((name) => field(name));
const owner = (): Parameter => ({ name: "owner", in: "path", required: true, field: field("owner") });

test("what many have is written down once, in the order in which it is needed", () => {
  const members = (name: string) => [field(name, { kind: "list", item: field("member", { fields: person() }) })];
  const all = [
    resource("user", person(), [owner()]),
    resource("follower", person(), [owner()]),
    resource("team", members("members"), [owner()]),
    resource("club", members("crew")),
  ];
  const { constants, inTermsOf } = sharedParts({ api, resources: all }, new Set());

  expect(constants.map(({ name, type }) => `${name}: ${type}`)).toEqual([
    "userFields: Field[]",
    "memberField: Field",
    "ownerParameter: Parameter",
  ]);
  expect(literal(constants[1]?.value)).toContain("fields: userFields");
  expect(all.map((one) => inTermsOf(one).uses)).toEqual([
    ["ownerParameter", "userFields"],
    ["ownerParameter", "userFields"],
    ["memberField", "ownerParameter"],
    ["memberField"],
  ]);
});

test("what is short, or stands only within something that is shared, gets no constant", () => {
  const address = () => field("address", { kind: "object", fields: person() });
  const all = ["one", "two", "three"].map((id) => resource(id, [field("id"), address()]));
  expect(sharedParts({ api, resources: all }, new Set()).constants.map(({ name }) => name)).toEqual(["oneFields"]);
  const few = ["one", "two", "three"].map((id) => resource(id, [field("id")]));
  expect(sharedParts({ api, resources: few }, new Set()).constants).toEqual([]);
});

test("constants that are called the same are told apart, also from what is called so already", () => {
  const sizes = (most: number) => field("size", { kind: "list", item: field("size", { fields: person(), max: most }) });
  const all = [1, 2, 1, 2].map((most, at) => resource(`r${at}`, [field(`f${at}`), sizes(most)]));
  const names = sharedParts({ api, resources: all }, new Set(["sizeField"])).constants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain("sizeField");
});

test("the operations that belong to no resource have their share", () => {
  const action = (id: string) => ({
    id,
    label: id,
    kind: "action" as const,
    on: "api" as const,
    operation: { id, method: "POST", path: `/${id}`, params: [owner()] },
  });
  const whole = { ...api, actions: ["one", "two", "three"].map(action) };
  const { constants, inTermsOf } = sharedParts({ api: whole, resources: [] }, new Set());
  expect(constants.map(({ name }) => name)).toEqual(["ownerParameter"]);
  expect(inTermsOf(whole).uses).toEqual(["ownerParameter"]);
});
