// A description with a list for each way to page, and the server that answers as it says.

import type { Answer, Asked } from "./interface-api.ts";

const text = { type: "string" };
const count = { type: "integer" };
const inQuery = (name: string, schema: object) => ({ name, in: "query", schema });

const row = {
  type: "object",
  required: ["id", "name", "status"],
  properties: { id: count, name: text, status: { ...text, enum: ["open", "closed"] } },
};

interface PagedList {
  path: string;
  params: object[];
  /** The answer with the rows left out. */
  answer: object;
  headers?: object;
}

const rows = { type: "array", items: row };
const enveloped = (properties: object) => ({ type: "object", properties });
const lists: PagedList[] = [
  {
    path: "/pears",
    params: [inQuery("page", { ...count, minimum: 1, default: 1 }), inQuery("per_page", { ...count, default: 10 })],
    answer: enveloped({ data: rows, total: count }),
  },
  {
    path: "/onions",
    params: [inQuery("offset", count), inQuery("limit", { ...count, default: 10 })],
    answer: enveloped({ items: rows, total: count }),
  },
  {
    path: "/carrots",
    params: [inQuery("cursor", text), inQuery("limit", { ...count, default: 10 })],
    answer: enveloped({ items: rows, next_cursor: { type: ["string", "null"] }, has_more: { type: "boolean" } }),
  },
  {
    path: "/urchins",
    params: [inQuery("after", text), inQuery("limit", { ...count, default: 10 })],
    answer: enveloped({ results: rows, next: { type: ["string", "null"], format: "uri" } }),
  },
  {
    path: "/lemons",
    params: [inQuery("after", text), inQuery("per_page", { ...count, default: 10 })],
    answer: rows,
    headers: { Link: { description: "Where the next page is.", schema: text } },
  },
  { path: "/apples", params: [], answer: rows },
];

const narrowing = [
  inQuery("status", { ...text, enum: ["open", "closed"] }),
  inQuery("sort", { ...text, enum: ["name", "-name"] }),
  inQuery("q", text),
];

function pathOf({ path, params, answer, headers }: PagedList): [string, object] {
  const parameters = path === "/pears" ? [...params, ...narrowing] : params;
  const response = { description: "Done.", headers, content: { "application/json": { schema: answer } } };
  return [path, { get: { parameters, responses: { "200": response } } }];
}

export const listsSpecimen = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Shelves", version: "1.0" },
  paths: Object.fromEntries(lists.map(pathOf)),
});

export const allRows = Array.from({ length: 47 }, (_, index) => ({
  id: index + 1,
  name: `Row ${index + 1}`,
  status: index % 3 === 0 ? "closed" : "open",
}));

/** The server of that description. */
export function answerLists({ path, query, origin }: Asked): Answer {
  const number = (name: string, usual: number) => Number(query[name] ?? usual);
  const page = (from: number, size: number) => allRows.slice(from, from + size);
  switch (path) {
    case "/pears": {
      const size = number("per_page", 10);
      return { json: { data: page((number("page", 1) - 1) * size, size), total: allRows.length } };
    }
    case "/onions":
      return { json: { items: page(number("offset", 0), number("limit", 10)), total: allRows.length } };
    case "/carrots": {
      const end = number("cursor", 0) + number("limit", 10);
      const more = end < allRows.length;
      return {
        json: { items: allRows.slice(number("cursor", 0), end), next_cursor: more ? `${end}` : null, has_more: more },
      };
    }
    case "/urchins": {
      const end = number("after", 0) + number("limit", 10);
      const next = end < allRows.length ? `${origin}/urchins?after=${end}&limit=${number("limit", 10)}` : null;
      return { json: { results: allRows.slice(number("after", 0), end), next } };
    }
    case "/lemons": {
      const end = number("after", 0) + number("per_page", 10);
      const next = `<${origin}/lemons?after=${end}&per_page=${number("per_page", 10)}>; rel="next"`;
      const headers: Record<string, string> = end < allRows.length ? { Link: next } : {};
      return { json: allRows.slice(number("after", 0), end), headers };
    }
    default:
      return { json: allRows };
  }
}
