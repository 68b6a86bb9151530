import { expect, test } from "vitest";
import { descriptions } from "../../../testing/descriptions.ts";
import type { InterfaceModel } from "../../interface-model.ts";
import type { Resource } from "../../kit/descriptor.ts";
import { understand } from "../understand.ts";
import { objections, understood } from "./schema-under-test.ts";

/** The parts of a resource that tell how it was understood. */
function outline({ id, plural, key, lists, detail, create, update, remove, actions }: Resource) {
  return {
    id,
    plural,
    key: key?.field,
    lists: lists.map(({ path, rows, row, total, paging }) => ({ path, rows, row, total, paging })),
    usual: [detail?.path, create?.path, update?.path, remove?.path],
    actions: actions.map((action) => `${action.on} ${action.operation.path}`),
  };
}

function resource(model: InterfaceModel, id: string): Resource {
  const found = model.resources.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no resource ${id}`);
  return found;
}

const pageInfo = "type PageInfo { hasNextPage: Boolean! endCursor: String }";

test("a Relay connection is a list of nodes with cursors", () => {
  const sdl = `
    type Query { films(first: Int, after: String, last: Int, before: String): FilmConnection! film(id: ID!): Film }
    type FilmConnection { edges: [FilmEdge] pageInfo: PageInfo! totalCount: Int }
    type FilmEdge { node: Film cursor: String! }
    type Film { id: ID! title: String }
    ${pageInfo}`;
  const model = understood(sdl);
  expect(model.resources.map(outline)).toEqual([
    {
      id: "film",
      plural: "Films",
      key: "id",
      lists: [
        {
          path: "films",
          rows: ["films", "edges"],
          row: ["node"],
          total: ["films", "totalCount"],
          paging: { kind: "relay", param: "after", sizeParam: "first", size: 20, pageInfo: ["films", "pageInfo"] },
        },
      ],
      usual: ["film", undefined, undefined, undefined],
      actions: [],
    },
  ]);
  expect(resource(model, "film").lists[0]?.document).toBe(`query films($after: String, $first: Int) {
  films(after: $after, first: $first) {
    totalCount
    pageInfo { endCursor hasNextPage }
    edges {
      node { id title }
    }
  }
}`);
});

test("where a connection has nodes, its edges are not needed", () => {
  const model = understood(`
    type Query { films(first: Int, after: String): FilmConnection! }
    type FilmConnection { nodes: [Film] edges: [FilmEdge] pageInfo: PageInfo! }
    type FilmEdge { node: Film }
    type Film { id: ID! title: String }
    ${pageInfo}`);
  expect(outline(resource(model, "film")).lists).toEqual([
    {
      path: "films",
      rows: ["films", "nodes"],
      row: undefined,
      total: undefined,
      paging: { kind: "relay", param: "after", sizeParam: "first", size: 20, pageInfo: ["films", "pageInfo"] },
    },
  ]);
});

test.each([
  ["films: [Film!]!", undefined],
  ["films(limit: Int, offset: Int): [Film!]!", { kind: "offset", param: "offset", sizeParam: "limit", size: 20 }],
  ["films(skip: Int, take: Int = 50): [Film!]!", { kind: "offset", param: "skip", sizeParam: "take", size: 50 }],
  ["films(skip: Int! = 0, first: Int): [Film]", { kind: "offset", param: "skip", sizeParam: "first", size: 20 }],
  ["films(page: Int, perPage: Int): [Film]", { kind: "page", param: "page", sizeParam: "perPage", first: 1, size: 20 }],
  ["films(page: Int = 0): [Film]", { kind: "page", param: "page", first: 0, size: 20 }],
  ["films(limit: Int): [Film]", undefined],
  ["films(after: String, first: Int): [Film]", undefined],
])("%s is paged by %o", (field, paging) => {
  const sdl = `type Query { ${field} } type Film { id: ID! title: String }`;
  const model = understood(sdl);
  expect(resource(model, "film").lists[0]?.paging).toEqual(paging);
  expect(objections(sdl, model)).toEqual([]);
});

test("rows, their number and the page may be in objects of their own", () => {
  const sdl = `
    type Query {
      characters(page: Int, filter: CharacterFilter): Characters
      posts(options: Options): PostsPage
      logs(cursor: String, limit: Int): LogList
    }
    type Characters { info: Info results: [Character] }
    type Info { count: Int next: Int }
    type Character { id: ID name: String status: String }
    input CharacterFilter { name: String status: String }
    type PostsPage { data: [Post] meta: Meta }
    type Meta { totalCount: Int }
    type Post { id: ID title: String }
    input Options { paginate: Paginate }
    input Paginate { page: Int limit: Int }
    type LogList { items: [Log!]! nextCursor: String }
    type Log { id: ID! text: String }`;
  const model = understood(sdl);
  const [characters, posts, logs] = model.resources.map((one) => one.lists[0]);
  expect(characters).toMatchObject({
    rows: ["characters", "results"],
    total: ["characters", "info", "count"],
    paging: { kind: "page", param: "page" },
    filters: [
      { param: "name", of: "name", operator: "equals" },
      { param: "status", of: "status", operator: "equals" },
    ],
  });
  expect(posts).toMatchObject({
    rows: ["posts", "data"],
    total: ["posts", "meta", "totalCount"],
    paging: { kind: "page", param: "page", sizeParam: "limit" },
  });
  expect(posts?.document).toContain("posts(options: {paginate: {page: $page, limit: $limit}})");
  expect(logs).toMatchObject({
    rows: ["logs", "items"],
    paging: { kind: "cursor", param: "cursor", sizeParam: "limit", next: ["logs", "nextCursor"] },
  });
  expect(objections(sdl, model)).toEqual([]);
});

test("what only holds a list among other things is not taken for the list", () => {
  const { resources } = understood(`
    type Query { homePage: HomePage }
    type HomePage { title: String modules: [Module] }
    type Module { id: ID! name: String }`);
  expect(resources.map(outline)).toEqual([
    {
      id: "home-page",
      plural: "Home page",
      key: undefined,
      lists: [],
      usual: ["homePage", undefined, undefined, undefined],
      actions: [],
    },
  ]);
});

test("Hasura: one resource per table, its number from the aggregate", () => {
  const sdl = `
    schema { query: query_root mutation: mutation_root }
    scalar uuid
    type query_root {
      users(limit: Int, offset: Int, order_by: [users_order_by!], where: users_bool_exp): [users!]!
      users_aggregate(limit: Int, offset: Int, where: users_bool_exp): users_aggregate!
      users_by_pk(id: uuid!): users
    }
    type mutation_root {
      insert_users(objects: [users_insert_input!]!, on_conflict: users_on_conflict): users_mutation_response
      insert_users_one(object: users_insert_input!, on_conflict: users_on_conflict): users
      update_users_by_pk(_set: users_set_input, _inc: users_inc_input, pk_columns: users_pk_columns_input!): users
      delete_users_by_pk(id: uuid!): users
    }
    type users { id: uuid! name: String! age: Int }
    type users_aggregate { aggregate: users_aggregate_fields nodes: [users!]! }
    type users_aggregate_fields { count(distinct: Boolean): Int! }
    type users_mutation_response { affected_rows: Int! returning: [users!]! }
    enum order_by { asc desc }
    input users_order_by { name: order_by age: order_by }
    input users_bool_exp { _and: [users_bool_exp!] name: String_comparison_exp }
    input String_comparison_exp { _eq: String _in: [String!] }
    input users_insert_input { name: String age: Int }
    input users_set_input { name: String age: Int }
    input users_inc_input { age: Int }
    input users_pk_columns_input { id: uuid! }
    input users_on_conflict { constraint: String! }`;
  const model = understood(sdl);
  const user = resource(model, "user");
  expect(outline(user)).toEqual({
    id: "user",
    plural: "Users",
    key: "id",
    lists: [
      {
        path: "users",
        rows: ["users"],
        row: undefined,
        total: ["users_aggregate", "aggregate", "count"],
        paging: { kind: "offset", param: "offset", sizeParam: "limit", size: 20 },
      },
    ],
    usual: ["users_by_pk", "insert_users_one", "update_users_by_pk", "delete_users_by_pk"],
    actions: ["collection insert_users"],
  });
  expect(user.lists[0]?.sort).toEqual({
    param: "order_by",
    options: [
      { field: "name", label: "Name", ascending: '{"name":"asc"}', descending: '{"name":"desc"}' },
      { field: "age", label: "Age", ascending: '{"age":"asc"}', descending: '{"age":"desc"}' },
    ],
  });
  expect(user.update).toMatchObject({ params: [{ name: "id" }], body: { wrap: "_set" } });
  expect(user.update?.document).toContain("update_users_by_pk(pk_columns: {id: $id}, _set: $_set)");
  expect(objections(sdl, model)).toEqual([]);
});

test("Keystone: the number comes from a second query, the key goes into where", () => {
  const sdl = `
    type Query {
      post(where: PostWhereUniqueInput!): Post
      posts(where: PostWhereInput! = {}, orderBy: [PostOrderByInput!]! = [], take: Int, skip: Int! = 0): [Post!]
      postsCount(where: PostWhereInput! = {}): Int
    }
    type Mutation {
      createPost(data: PostCreateInput!): Post
      createPosts(data: [PostCreateInput!]!): [Post]
      updatePost(where: PostWhereUniqueInput!, data: PostUpdateInput!): Post
      deletePost(where: PostWhereUniqueInput!): Post
      deletePosts(where: [PostWhereUniqueInput!]!): [Post]
      flagPost(where: PostWhereUniqueInput!): Post
    }
    scalar DateTime
    type Post { id: ID! title: String publishedAt: DateTime }
    input PostWhereUniqueInput { id: ID }
    input PostWhereInput { AND: [PostWhereInput!] id: IDFilter title: StringFilter publishedAt: DateTimeFilter }
    input IDFilter { equals: ID }
    input StringFilter { equals: String contains: String }
    input DateTimeFilter { equals: DateTime gte: DateTime lte: DateTime }
    input PostOrderByInput { title: OrderDirection }
    enum OrderDirection { asc desc }
    input PostCreateInput { title: String publishedAt: DateTime }
    input PostUpdateInput { title: String publishedAt: DateTime }`;
  const model = understood(sdl);
  const post = resource(model, "post");
  expect(outline(post)).toEqual({
    id: "post",
    plural: "Posts",
    key: "id",
    lists: [
      {
        path: "posts",
        rows: ["posts"],
        row: undefined,
        total: ["postsCount"],
        paging: { kind: "offset", param: "skip", sizeParam: "take", size: 20 },
      },
    ],
    usual: ["post", "createPost", "updatePost", "deletePost"],
    actions: ["collection createPosts", "collection deletePosts", "record flagPost"],
  });
  expect(post.lists[0]?.filters.map(({ param, of, operator }) => [param, of, operator])).toEqual([
    ["id", "id", "equals"],
    ["title", "title", "contains"],
    ["publishedAtFrom", "publishedAt", "from"],
    ["publishedAtTo", "publishedAt", "to"],
  ]);
  expect(post.update?.document).toBe(`mutation updatePost($id: ID!, $data: PostUpdateInput!) {
  updatePost(where: {id: $id}, data: $data) {
    id title publishedAt
  }
}`);
  expect(objections(sdl, model)).toEqual([]);
});

test("PostGraphile: inputs within inputs are unwrapped, other keys are other ways to a record", () => {
  const sdl = `
    type Query {
      allPeople(first: Int, after: Cursor, offset: Int, orderBy: [PeopleOrderBy!] = [ID_ASC], condition: PersonCondition): PeopleConnection
      personById(id: Int!): Person
      personByEmail(email: String!): Person
    }
    scalar Cursor
    type PeopleConnection { nodes: [Person]! pageInfo: PageInfo! totalCount: Int! }
    type PageInfo { hasNextPage: Boolean! endCursor: Cursor }
    type Person { id: Int! fullName: String! email: String }
    enum PeopleOrderBy { NATURAL ID_ASC ID_DESC FULL_NAME_ASC FULL_NAME_DESC }
    input PersonCondition { fullName: String }
    type Mutation {
      createPerson(input: CreatePersonInput!): CreatePersonPayload
      updatePersonById(input: UpdatePersonByIdInput!): UpdatePersonPayload
      deletePersonById(input: DeletePersonByIdInput!): DeletePersonPayload
    }
    input CreatePersonInput { clientMutationId: String person: PersonInput! }
    input PersonInput { fullName: String! email: String }
    input UpdatePersonByIdInput { clientMutationId: String id: Int! personPatch: PersonPatch! }
    input PersonPatch { fullName: String email: String }
    input DeletePersonByIdInput { clientMutationId: String id: Int! }
    type CreatePersonPayload { person: Person }
    type UpdatePersonPayload { person: Person }
    type DeletePersonPayload { person: Person deletedPersonId: ID }`;
  const model = understood(sdl);
  const person = resource(model, "person");
  expect(outline(person)).toMatchObject({
    plural: "People",
    usual: ["personById", "createPerson", "updatePersonById", "deletePersonById"],
    actions: ["collection personByEmail"],
  });
  expect(person.actions.map(({ label }) => label)).toEqual(["Find by email"]);
  expect(person.create).toMatchObject({ result: ["createPerson", "person"], body: { wrap: "person" } });
  expect(person.create?.document).toContain("createPerson(input: {person: $person})");
  expect(person.update?.document).toContain("updatePersonById(input: {id: $id, personPatch: $personPatch})");
  expect(person.lists[0]?.sort?.options).toEqual([
    { field: "NATURAL", label: "Natural", ascending: "NATURAL" },
    { field: "id", label: "ID", ascending: "ID_ASC", descending: "ID_DESC" },
    { field: "fullName", label: "Full name", ascending: "FULL_NAME_ASC", descending: "FULL_NAME_DESC" },
  ]);
  expect(objections(sdl, model)).toEqual([]);
});

test("GitHub: lists within records, records by node, and searches for one type", () => {
  const sdl = `
    type Query {
      node(id: ID!): Node
      repository(owner: String!, name: String!): Repository
      user(login: String!): User
      viewer: User!
      search(query: String!, type: SearchType!, first: Int, after: String): SearchResultItemConnection!
    }
    interface Node { id: ID! }
    interface RepositoryOwner { id: ID! login: String! }
    enum SearchType { ISSUE REPOSITORY USER }
    union SearchResultItem = Issue | Repository | User
    type SearchResultItemConnection { nodes: [SearchResultItem] pageInfo: PageInfo! }
    type Repository implements Node {
      id: ID! name: String! owner: RepositoryOwner!
      issues(first: Int, after: String, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
      issue(number: Int!): Issue
    }
    type User implements Node & RepositoryOwner { id: ID! login: String! repositories(first: Int, after: String): RepositoryConnection! }
    type RepositoryConnection { nodes: [Repository] pageInfo: PageInfo! totalCount: Int! }
    type Issue implements Node { id: ID! number: Int! title: String! state: IssueState! comments(first: Int, after: String): IssueCommentConnection! }
    type IssueConnection { nodes: [Issue] pageInfo: PageInfo! totalCount: Int! }
    type IssueComment implements Node { id: ID! body: String! author: User }
    type IssueCommentConnection { nodes: [IssueComment] pageInfo: PageInfo! totalCount: Int! }
    enum IssueState { OPEN CLOSED }
    enum IssueOrderField { CREATED_AT COMMENTS }
    enum OrderDirection { ASC DESC }
    input IssueOrder { field: IssueOrderField! direction: OrderDirection! }
    ${pageInfo}
    type Mutation {
      createIssue(input: CreateIssueInput!): CreateIssuePayload
      updateIssue(input: UpdateIssueInput!): UpdateIssuePayload
      closeIssue(input: CloseIssueInput!): CloseIssuePayload
      updateIssueComment(input: UpdateIssueCommentInput!): UpdateIssueCommentPayload
      updateRepository(input: UpdateRepositoryInput!): UpdateRepositoryPayload
      followUser(input: FollowUserInput!): FollowUserPayload
    }
    input CreateIssueInput { clientMutationId: String repositoryId: ID! title: String! body: String }
    type CreateIssuePayload { clientMutationId: String issue: Issue }
    input UpdateIssueInput { clientMutationId: String id: ID! title: String state: IssueState }
    type UpdateIssuePayload { clientMutationId: String issue: Issue }
    input CloseIssueInput { clientMutationId: String issueId: ID! }
    type CloseIssuePayload { clientMutationId: String issue: Issue }
    input UpdateIssueCommentInput { id: ID! body: String! }
    type UpdateIssueCommentPayload { issueComment: IssueComment }
    input UpdateRepositoryInput { repositoryId: ID! name: String }
    type UpdateRepositoryPayload { repository: Repository }
    input FollowUserInput { userId: ID! }
    type FollowUserPayload { user: User }`;
  const model = understood(sdl);
  const { id, scopes, lists, detail, update, actions } = resource(model, "issue");
  expect({
    id,
    scopes,
    list: lists[0]?.document,
    detail: detail?.document,
    update: update?.document,
    actions: actions.map((one) => one.label),
  }).toEqual({
    id: "issue",
    scopes: [
      {
        param: "owner",
        field: { name: "owner", label: "Owner", kind: "text", required: true },
        resource: "repository",
        from: "owner.login",
      },
      {
        param: "name",
        field: { name: "name", label: "Name", kind: "text", required: true },
        resource: "repository",
        from: "name",
      },
    ],
    list: `query repository_issues(
  $owner: String!
  $name: String!
  $after: String
  $first: Int
  $orderBy: IssueOrderField! = CREATED_AT
  $orderByDirection: OrderDirection! = DESC
  $states: [IssueState!]
) {
  repository(owner: $owner, name: $name) {
    issues(after: $after, first: $first, orderBy: {field: $orderBy, direction: $orderByDirection}, states: $states) {
      totalCount
      pageInfo { endCursor hasNextPage }
      nodes { id number title state }
    }
  }
}`,
    detail: `query node_Issue($id: ID!) {
  node(id: $id) {
    ... on Issue {
      id number title state
      comments { totalCount }
    }
  }
}`,
    update: `mutation updateIssue($id: ID!, $title: String, $state: IssueState) {
  updateIssue(input: {id: $id, title: $title, state: $state}) {
    issue { id number title state }
  }
}`,
    actions: ["Close issue"],
  });
  expect(resource(model, "issue-comment").lists[0]?.document).toContain(`node(id: $issueId) {
    ... on Issue {
      comments(`);
  expect(resource(model, "repository").lists.map((list) => list.id)).toEqual([
    "viewer.repositories",
    "search",
    "node.User.repositories",
  ]);
  expect(resource(model, "user").lists.map((list) => [list.id, list.search])).toEqual([["search", "query"]]);
  expect(resource(model, "repository").children).toEqual([
    { resource: "issue", label: "Issues", via: "scope", param: "name" },
  ]);
  expect(objections(sdl, model)).toEqual([]);
});

test("what a connection leads to is called by many", () => {
  const [swapi] = descriptions(["swapi.graphql"]);
  const film = resource(understand(swapi.spec()), "film");
  expect(film.children?.map(({ label }) => label)).toEqual([
    "Species",
    "Starships",
    "Vehicles",
    "Characters",
    "Planets",
  ]);
});

test("a verb may stand last, as in issueCreate, and what a payload says went wrong is asked for", () => {
  const sdl = `
    type Query { issues: [Issue!]! issue(id: String!): Issue! }
    type Issue { id: ID! title: String! }
    type Mutation {
      issueCreate(input: IssueCreateInput!): IssuePayload!
      issueUpdate(id: String!, input: IssueUpdateInput!): IssuePayload!
      issueDelete(id: String!): DeletePayload!
      issueArchive(id: String!): IssuePayload!
    }
    input IssueCreateInput { title: String! }
    input IssueUpdateInput { title: String }
    type IssuePayload { success: Boolean! issue: Issue userErrors: [UserError!]! }
    type UserError { field: [String!] message: String! }
    type DeletePayload { success: Boolean! }`;
  const model = understood(sdl);
  expect(outline(resource(model, "issue"))).toMatchObject({
    usual: ["issue", "issueCreate", "issueUpdate", "issueDelete"],
    actions: ["record issueArchive"],
  });
  expect(resource(model, "issue").create?.document).toBe(`mutation issueCreate($input: IssueCreateInput!) {
  issueCreate(input: $input) {
    issue { id title }
    userErrors { field message }
  }
}`);
  expect(objections(sdl, model)).toEqual([]);
});

test("references in input objects name records", () => {
  const sdl = `
    type Query { order(order: OrderReferenceInput!): Order orders(host: AccountReferenceInput!, limit: Int! = 100, offset: Int! = 0): OrderCollection! }
    type OrderCollection { nodes: [Order!] totalCount: Int limit: Int offset: Int }
    type Order { id: String! legacyId: Int! description: String }
    input OrderReferenceInput { id: String legacyId: Int }
    input AccountReferenceInput { id: String slug: String }
    type Mutation { cancelOrder(order: OrderReferenceInput!, reason: String): Order! }`;
  const model = understood(sdl);
  const order = resource(model, "order");
  expect(order.detail?.document).toContain("order(order: {id: $id})");
  expect(order.lists[0]).toMatchObject({
    rows: ["orders", "nodes"],
    total: ["orders", "totalCount"],
    paging: { kind: "offset", size: 100 },
    filters: [{ param: "slug", field: { required: true } }],
  });
  expect(order.actions.map(({ on, operation }) => [on, operation.document?.split("\n")[1]])).toEqual([
    ["record", "  cancelOrder(order: {id: $id}, reason: $reason) {"],
  ]);
  expect(objections(sdl, model)).toEqual([]);
});

test("what is neither a list nor a record is a singleton, a figure, a way to sign in, or an action", () => {
  const sdl = `
    type Query { me: User usersCount: Int! stats: Stats markdown(text: String!): String! node(id: ID!): Node }
    interface Node { id: ID! }
    type User implements Node { id: ID! name: String }
    type Stats { users: Int! posts: Int! }
    type Mutation { login(email: String!, password: String!): String logout: Boolean updateMe(name: String): User resetEverything: Boolean }
    type Subscription { userAdded: User }`;
  const model = understood(sdl);
  expect({
    resources: model.resources.map(outline),
    signIn: model.api.signIn?.map(({ kind, operation }) => [kind, operation.path]),
    summaries: model.api.summaries.map(({ kind, operation }) => [kind, operation.path]),
    actions: model.api.actions.map(({ dangerous, operation }) => [operation.path, dangerous]),
    warnings: model.warnings,
  }).toEqual({
    resources: [
      {
        id: "me",
        plural: "Me",
        key: undefined,
        lists: [],
        usual: ["me", undefined, "updateMe", undefined],
        actions: [],
      },
    ],
    signIn: [
      ["signIn", "login"],
      ["signOut", "logout"],
    ],
    summaries: [
      ["stats", "stats"],
      ["value", "usersCount"],
    ],
    actions: [
      ["markdown", undefined],
      ["node", undefined],
      ["resetEverything", true],
    ],
    warnings: [
      { place: "/subscription", message: "1 subscription is left out: an interface asks, it does not listen" },
    ],
  });
  expect(objections(sdl, model)).toEqual([]);
});

test("a list of one type under another name is a resource of its own, unless it needs something", () => {
  const { resources } = understood(`
    type Query { orders: [Order!]! myOrders: [Order!]! competingOrders(orderId: ID!): [Order!]! order(id: ID!): Order }
    type Order { id: ID! code: String! }`);
  expect(resources.map(({ id, lists, detail }) => [id, lists.map((list) => list.path), detail?.path])).toEqual([
    ["order", ["orders", "competingOrders"], "order"],
    ["my-orders", ["myOrders"], "order"],
  ]);
});

test("a type that only one field of a record has says what an argument takes", () => {
  const sdl = `
    type Query { getPokemon(pokemon: PokemonEnum!): Pokemon! getAllPokemon(offset: Int, take: Int): [Pokemon!]! }
    enum PokemonEnum { pikachu raichu }
    type Pokemon { key: PokemonEnum! species: String! }`;
  const model = understood(sdl);
  expect(outline(resource(model, "pokemon"))).toMatchObject({
    key: "key",
    usual: ["getPokemon", undefined, undefined, undefined],
  });
  expect(objections(sdl, model)).toEqual([]);
});

test("types that differ only in underscores are resources of their own", () => {
  const { resources } = understood(`
    type Query { a: [A_b!]! b: [A__b!]! c: [A_b_!]! }
    type A_b { id: ID! } type A__b { id: ID! } type A_b_ { id: ID! }`);
  expect(resources.map(({ id }) => id)).toEqual(["a-b", "a-b-2", "a-b-3"]);
});

test.each([
  ["posts(where: W, skip: Int, take: Int)", "postsCount", undefined, ["postsCount"]],
  ["posts(search: String)", "postsCount", undefined, ["postsCount"]],
  ["posts(title: String, search: String)", "postsCount(title: String)", undefined, ["postsCount"]],
  ["posts(title: String)", "postsCount(title: [String!])", undefined, ["postsCount"]],
  ["posts(where: W, orderBy: String, take: Int)", "postsCount(where: W)", ["postsCount"], []],
  ["posts(skip: Int, take: Int)", "postsCount", ["postsCount"], []],
])("%s has %s as its number only if that takes all its conditions", (list, count, total, figures) => {
  const sdl = `
    type Query { ${list}: [Post!]! ${count}: Int! }
    input W { title: String }
    type Post { id: ID! title: String }`;
  const model = understood(sdl);
  expect(resource(model, "post").lists[0]?.total).toEqual(total);
  expect(model.api.summaries.map(({ operation }) => operation.path)).toEqual(figures);
  expect(objections(sdl, model)).toEqual([]);
});

test("no two actions have one id", () => {
  const sdl = `
    type Query { a_b(x: Int!): String aB(y: Int!): String books: [Book!]! sum_all: Int sumAll: Int }
    type Mutation {
      do_it: String doIt: String aB: String log_in(name: String): String logIn(name: String): String
      lend_book(id: ID!): Book lendBook(id: ID!): Book
    }
    type Book { id: ID! name: String }`;
  const { api, resources } = understood(sdl);
  const ids = (all: { id: string }[] = []) => all.map(({ id }) => id);
  expect([ids(api.actions), ids(api.signIn), ids(api.summaries), ids(resources[0]?.actions)]).toEqual([
    ["a-b", "a-b-2", "do-it", "do-it-2", "a-b-3"],
    ["log-in", "log-in-2"],
    ["sum-all", "sum-all-2"],
    ["lend-book", "lend-book-2"],
  ]);
});

test("an enumeration without values sorts nothing", () => {
  const sdl = `
    type Query { films(orderBy: Order): [Film!]! }
    input Order { field: OrderField! direction: Direction! }
    enum OrderField
    enum Direction { ASC DESC }
    type Film { id: ID! title: String }`;
  const model = understood(sdl);
  expect(resource(model, "film").lists[0]?.sort).toBeUndefined();
  expect(objections(sdl, model)).toEqual([]);
});

test("a query that takes something else under the name of its key's field gives no record", () => {
  const sdl = `
    type Query { item(slug: String!, itemId: ID!): Item }
    type Item { slug: String! a: String b: String }`;
  const model = understood(sdl);
  expect(model.resources).toEqual([]);
  expect(model.api.actions.map(({ operation }) => operation.params.map(({ name }) => name))).toEqual([
    ["slug", "itemId"],
  ]);
  expect(objections(sdl, model)).toEqual([]);
});
