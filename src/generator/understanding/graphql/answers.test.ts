import { readFileSync } from "node:fs";
import { buildSchema, graphql } from "graphql";
import { expect, test, vi } from "vitest";
import type { InterfaceModel } from "../../interface-model.ts";
import type { Backend, Query } from "../../kit/api/backend.ts";
import type { Transport } from "../../kit/api/transport.ts";
import type { ApiDescriptor, Resource } from "../../kit/descriptor.ts";
import { understood } from "./schema-under-test.ts";

// The interface's own requests, answered by a real GraphQL server in memory. The kit is compiled for browsers, which this
// program is not, so its backend is loaded by name.
const { httpBackend } = await vi.importActual<{
  httpBackend: (
    api: ApiDescriptor,
    target: () => { server: string; credentials: object },
    transport: Transport,
  ) => Backend;
}>("../../kit/api/http-backend.ts");

function served(sdl: string, rootValue: object): { model: InterfaceModel; backend: Backend } {
  const model = understood(sdl);
  const schema = buildSchema(sdl);
  const backend = httpBackend(
    model.api,
    () => ({ server: "http://localhost/graphql", credentials: {} }),
    async ({ body }) => {
      const { query, variables } = JSON.parse(String(body));
      const answer = await graphql({ schema, source: query, variableValues: variables, rootValue });
      return { status: 200, headers: { "content-type": "application/json" }, body: new Blob([JSON.stringify(answer)]) };
    },
  );
  return { model, backend };
}

function resource(model: InterfaceModel, id: string): Resource {
  const found = model.resources.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no resource ${id}`);
  return found;
}

const asked = (query: Partial<Query> = {}): Query => ({ filters: {}, page: 0, pageSize: 2, ...query });

const films = Array.from({ length: 5 }, (_, index) => ({ id: `film-${index}`, title: `Film ${index}` }));

function connection<Row>(rows: Row[], { first = 10, after }: { first?: number; after?: string }) {
  const start = after === undefined ? 0 : Number(after);
  const edges = rows.slice(start, start + first).map((node) => ({ node }));
  return {
    totalCount: rows.length,
    edges,
    pageInfo: { endCursor: String(start + first), hasNextPage: start + first < rows.length },
  };
}

test("every film of SWAPI is found page by page, then one by its key, then those of a person", async () => {
  const { model, backend } = served(readFileSync("test/descriptions/swapi.graphql", "utf8"), {
    allFilms: (args: object) => connection(films, args),
    film: ({ id }: { id: string }) => films.find((film) => film.id === id),
    person: () => ({ filmConnection: (args: object) => connection(films.slice(3), args) }),
  });
  const film = resource(model, "film");
  const titles: unknown[] = [];
  let query: Query | undefined = asked();
  while (query !== undefined) {
    const page = await backend.list(film, {}, query);
    expect(page.total).toBe(5);
    titles.push(...page.rows.map((row) => row.title));
    query = page.hasNext ? asked({ page: query.page + 1, cursor: page.next }) : undefined;
  }
  expect(titles).toEqual(["Film 0", "Film 1", "Film 2", "Film 3", "Film 4"]);
  expect(await backend.get(film, {}, "film-3")).toMatchObject({ id: "film-3", title: "Film 3" });
  const ofPerson = await backend.list(film, {}, asked({ filters: { personId: "p" } }));
  expect(ofPerson.rows.map((row) => row.id)).toEqual(["film-3", "film-4"]);
});

test("records are made, changed, sorted, counted and deleted as Keystone has it", async () => {
  type Post = { id: string; title: string };
  const posts: Post[] = [
    { id: "1", title: "b" },
    { id: "2", title: "a" },
  ];
  const { model, backend } = served(
    `type Query {
      post(where: PostWhereUniqueInput!): Post
      posts(where: PostWhereInput! = {}, orderBy: [PostOrderByInput!]! = [], take: Int, skip: Int! = 0): [Post!]
      postsCount(where: PostWhereInput! = {}): Int
    }
    type Mutation {
      createPost(data: PostInput!): Post
      updatePost(where: PostWhereUniqueInput!, data: PostInput!): Post
      deletePost(where: PostWhereUniqueInput!): Post
    }
    type Post { id: ID! title: String }
    input PostWhereUniqueInput { id: ID }
    input PostWhereInput { title: StringFilter }
    input StringFilter { contains: String }
    input PostOrderByInput { title: OrderDirection }
    enum OrderDirection { asc desc }
    input PostInput { title: String }`,
    {
      post: ({ where }: { where: Post }) => posts.find(({ id }) => id === where.id),
      posts: ({
        orderBy,
        where,
        take,
        skip,
      }: {
        orderBy: Post[];
        where: { title?: { contains?: string } };
        take: number;
        skip: number;
      }) => {
        const found = posts.filter(({ title }) => title.includes(where.title?.contains ?? ""));
        const sorted =
          orderBy[0]?.title === "asc" ? found.toSorted((one, other) => one.title.localeCompare(other.title)) : found;
        return sorted.slice(skip, skip + take);
      },
      postsCount: () => posts.length,
      createPost: ({ data }: { data: Post }) => {
        const made = { ...data, id: String(posts.length + 1) };
        posts.push(made);
        return made;
      },
      updatePost: ({ where, data }: { where: Post; data: Post }) =>
        Object.assign(posts.find(({ id }) => id === where.id) ?? {}, data),
      deletePost: ({ where }: { where: Post }) =>
        posts.splice(
          posts.findIndex(({ id }) => id === where.id),
          1,
        )[0],
    },
  );
  const post = resource(model, "post");
  expect(await backend.create(post, {}, { body: { title: "c" } })).toEqual({ id: "3", title: "c" });
  expect(await backend.update(post, {}, "1", { body: { title: "ab" } })).toEqual({ id: "1", title: "ab" });
  const sorted = await backend.list(post, {}, asked({ pageSize: 10, sort: { field: "title", descending: false } }));
  expect([sorted.rows.map((row) => row.title), sorted.total]).toEqual([["a", "ab", "c"], 3]);
  const found = await backend.list(post, {}, asked({ filters: { title: "b" } }));
  expect(found.rows).toEqual([{ id: "1", title: "ab" }]);
  await backend.remove(post, {}, "2");
  expect(posts).toEqual([
    { id: "1", title: "ab" },
    { id: "3", title: "c" },
  ]);
});
