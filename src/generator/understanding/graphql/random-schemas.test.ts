import fc from "fast-check";
import { expect, test } from "vitest";
import { ineffective, objections, understood, unplaced } from "./schema-under-test.ts";

// Schemas put together from words that mean something here, in ways that mostly mean nothing.

const typeNames = [
  "Film",
  "Person",
  "FilmConnection",
  "FilmEdge",
  "PageInfo",
  "Node",
  "CreateFilmPayload",
  "constructor",
  "__Odd",
  "users",
].map((name) => name.replace(/^__/, "X"));
const fieldNames = [
  "id",
  "name",
  "films",
  "edges",
  "node",
  "nodes",
  "pageInfo",
  "endCursor",
  "hasNextPage",
  "totalCount",
  "items",
  "film",
  "filmsCount",
];
const argNames = [
  "id",
  "first",
  "after",
  "limit",
  "offset",
  "page",
  "where",
  "orderBy",
  "input",
  "filmId",
  "search",
  "ids",
];
const rootNames = [
  "film",
  "films",
  "allFilms",
  "filmsCount",
  "node",
  "viewer",
  "createFilm",
  "updateFilm",
  "deleteFilm",
  "film_by_pk",
  "search",
  "toString",
];

const wrapped = (inner: fc.Arbitrary<string>) =>
  fc.tuple(inner, fc.constantFrom("X", "X!", "[X]", "[X!]!", "[[X]]")).map(([name, shape]) => shape.replace("X", name));
const leaf = fc.constantFrom("Int", "String", "ID", "Boolean", "Float", "State", "Date");
const outputType = wrapped(fc.oneof(leaf, fc.constantFrom(...typeNames, "Any")));
const inputType = wrapped(fc.oneof(leaf, fc.constantFrom("InputA", "InputB")));

const args = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...argNames), inputType), { selector: ([name]) => name, maxLength: 4 })
  .map((list) => (list.length === 0 ? "" : `(${list.map(([name, type]) => `${name}: ${type}`).join(" ")})`));

const fields = (names: string[]) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), args, outputType), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 7,
    })
    .map((list) => list.map(([name, given, type]) => `${name}${given}: ${type}`).join("\n  "));

const inputs = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...argNames, ...fieldNames), wrapped(fc.oneof(leaf, fc.constant("InputB")))), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 5,
  })
  .map((list) => list.map(([name, type]) => `${name}: ${type}`).join("\n  "));

const schema = fc
  .tuple(fields(rootNames), fields(rootNames), fc.tuple(...typeNames.map(() => fields(fieldNames))), inputs)
  .map(([query, mutation, types, input]) =>
    [
      `type Query {\n  ${query}\n}`,
      `type Mutation {\n  ${mutation}\n}`,
      ...typeNames.map((name, index) => `type ${name} {\n  ${types[index]}\n}`),
      `input InputA {\n  ${input}\n}`,
      "input InputB { id: ID name: String }",
      "enum State { NEW OLD_ASC OLD_DESC }",
      "scalar Date",
      `union Any = ${typeNames.join(" | ")}`,
    ].join("\n"),
  );

test("whatever a schema looks like, every operation is somewhere, and every document holds", () => {
  fc.assert(
    fc.property(schema, (sdl) => {
      const model = understood(sdl);
      expect(objections(sdl, model)).toEqual([]);
      const ids = model.resources.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(unplaced(sdl, model)).toEqual([]);
      expect(ineffective(model)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
