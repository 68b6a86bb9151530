import { expect, test } from "vitest";
import { operationsOf, understood } from "./schema-under-test.ts";

const sdl = `
  type Query { films(first: Int, after: String, page: Int): FilmList film(id: ID!): Film directors: [Director!]! }
  type FilmList { items: [Film!]! others: [Film!]! total: Int }
  type Film { id: ID! slug: String! title: String year: Int director: Director }
  type Director { id: ID! name: String }
  type Mutation { createFilm(title: String!): Film }`;

test("corrections have the last word, and say so", () => {
  const { resources, inferences, warnings } = understood(sdl, {
    "film.name": "Movie",
    "film.plural": "Movies",
    "film.key": "slug",
    "film.title": "slug",
    "film.columns": ["year", "title"],
    "film.group": "Cinema",
    "film.list.rows": ["films", "others"],
    "film.list.paging": null,
  });
  const [film] = resources;
  expect({ ...film, fields: [], lists: film?.lists.map(({ rows, paging }) => ({ rows, paging })) }).toMatchObject({
    name: "Movie",
    plural: "Movies",
    key: { field: "slug", param: "id" },
    title: "slug",
    columns: ["year", "title"],
    group: "Cinema",
    lists: [{ rows: ["films", "others"], paging: undefined }],
  });
  const corrected = inferences
    .filter(({ because }) => because === "it was corrected")
    .map(({ about, confidence }) => [about, confidence]);
  expect(corrected).toHaveLength(8);
  expect(corrected).toContainEqual(["film.list.paging", 1]);
  expect(warnings).toEqual([]);
});

test("a hidden resource leaves its operations to the API, and nothing leads to it", () => {
  const model = understood(sdl, { "film.hidden": true, "director.hidden": true });
  expect(model.resources).toEqual([]);
  expect(model.api.actions.map(({ operation }) => operation.path)).toEqual([
    "films",
    "film",
    "createFilm",
    "directors",
  ]);
  expect(operationsOf(understood(sdl)).map(({ path }) => path)).toEqual(["films", "film", "createFilm", "directors"]);
  const [film] = understood(sdl, { "director.hidden": true }).resources;
  expect(film?.fields.find(({ name }) => name === "director")?.relation).toBeUndefined();
});

test("the operations of a hidden resource keep all but what only a list has", () => {
  const sdl = `
    type Query { films(first: Int, title: String, orderBy: Order): [Film!]! @deprecated filmsCount(title: String): Int }
    enum Order { TITLE_ASC TITLE_DESC }
    type Film { id: ID! title: String }`;
  const list = understood(sdl).resources[0]?.lists[0];
  const { api } = understood(sdl, { "film.hidden": true });
  const { id, method, path, params, document } = list ?? {};
  expect(api.actions.map(({ operation }) => operation)).toEqual([
    { id, method, path, params, document, auth: [["token"], []], deprecated: true },
  ]);
});

test("a correction that fits nothing is a warning", () => {
  const { warnings } = understood(sdl, { "film.key": "director", "movie.name": "Movie", "film.columns": "title" });
  expect(warnings).toEqual([
    { place: "film.key", message: 'the correction "director" does not fit' },
    { place: "film.columns", message: 'the correction "title" does not fit' },
    { place: "movie.name", message: "this correction fits nothing that was understood" },
  ]);
});

test("paging can be corrected to a variable that there is", () => {
  const paged = (paging: { kind: string; param: string }) => understood(sdl, { "film.list.paging": paging });
  expect(paged({ kind: "offset", param: "page" }).resources[0]?.lists[0]?.paging).toEqual({
    kind: "offset",
    param: "page",
    size: 20,
  });
  expect(paged({ kind: "offset", param: "start" }).warnings).toEqual([
    { place: "film.list.paging", message: 'the correction {"kind":"offset","param":"start"} does not fit' },
  ]);
});

test("a server that takes no token is asked without one", () => {
  const { api } = understood(sdl, { "api.auth": null });
  expect(api.auth).toEqual([]);
  expect(understood(sdl).api.auth).toEqual([{ id: "token", label: "Access token", kind: "bearer" }]);
});
