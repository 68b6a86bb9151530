import { expect, test } from "vitest";
import { readDescription } from "../../reading/read-description.ts";
import { documentText } from "./document.ts";
import { objections, understood } from "./schema-under-test.ts";
import { type Extent, select } from "./selection.ts";
import { typeTable } from "./type-table.ts";

function asked(sdl: string, type: string, extent: Extent): string {
  const types = typeTable(readDescription([{ name: "schema.graphql", text: sdl }]).spec);
  const model = types.get(type);
  if (model === undefined) throw new Error(`There is no type ${type}`);
  const { asked } = select(types, model, extent);
  return documentText({ kind: "query", name: "it", calls: [], asked }).split("\n").slice(1, -1).join("\n");
}

test("leaves are asked for, objects one level deep, connections by their number, and nothing that needs arguments", () => {
  const sdl = `
    type Query { film: Film }
    type Film {
      id: ID! title: String rating(scale: Int!): Float size(unit: String = "cm"): Int tags: [String!]
      old: String @deprecated
      sequel: Film
      director: Director
      scenes: [Scene!]!
      actors(first: Int): ActorConnection
      reviews(limit: Int): [Scene]
    }
    type Director { id: ID! name: String born: String films: [Film] }
    type Scene { length: Int place: Place }
    type Place { id: ID! }
    type ActorConnection { edges: [ActorEdge] totalCount: Int }
    type ActorEdge { node: Director }`;
  expect(asked(sdl, "Film", "record")).toBe(`  id title size tags
  sequel { id title }
  director { id name }
  scenes { length }
  actors { totalCount }`);
  expect(asked(sdl, "Film", "identity")).toBe("  id title");
});

test("a union is asked by type, and one name for two types of values becomes two names", () => {
  const sdl = `
    type Query { search: [Result!]! }
    union Result = Film | Person | Studio
    type Film { id: ID! title: String! year: Int }
    type Person { id: ID! name: String! title: String }
    type Studio { id: ID! name: String! }`;
  const model = understood(sdl);
  expect(model.resources[0]?.lists[0]?.document).toBe(`query search {
  search {
    __typename
    ... on Film { id title }
    ... on Person { id titleOfPerson: title name }
    ... on Studio { id name }
  }
}`);
  expect(model.resources[0]?.fields.map(({ name, label }) => [name, label])).toEqual([
    ["__typename", "Type"],
    ["id", "ID"],
    ["title", "Title"],
    ["titleOfPerson", "Title of person"],
    ["name", "Name"],
  ]);
  expect(objections(sdl, model)).toEqual([]);
});

test("an interface is asked for what it has, and only if that says little for what its types have", () => {
  const sdl = `
    type Query { owner: Owner thing: Thing }
    interface Owner { id: ID! login: String! }
    interface Thing { id: ID! }
    type User implements Owner & Thing { id: ID! login: String! email: String }
    type Robot implements Thing { id: ID! name: String }`;
  expect(asked(sdl, "Owner", "record")).toBe("  id login");
  expect(asked(sdl, "Thing", "record")).toBe(`  __typename id
  ... on User { login email }
  ... on Robot { name }`);
});

test("hundreds of fields are bounded, the most telling of them are there", () => {
  const many = Array.from({ length: 300 }, (_, index) => `field${index}: String other${index}: Other`).join(" ");
  const lines = asked(
    `type Query { it: It } type It { ${many} name: String id: ID! } type Other { id: ID! }`,
    "It",
    "record",
  );
  expect(lines.split(/\s+/).filter((word) => /^(field|name$|id$|other)/.test(word)).length).toBeLessThan(50);
  expect(lines).toMatch(/ name id$/m);
});
