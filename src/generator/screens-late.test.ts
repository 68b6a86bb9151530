import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type Answer, type Asked, recordingApi } from "../testing/interface-api.ts";
import { field } from "../testing/interface-form.ts";
import { arrive, connect, visit } from "../testing/interface-live.ts";
import { interfaceServers } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { generate } from "./generate.ts";

// An API takes its time, and people do not wait for it: nothing that they meant or entered is lost or taken for something else.

const text = { type: "string" };
const inPath = (name: string) => ({ name, in: "path", required: true, schema: text });
const inQuery = (name: string, schema: object = text) => ({ name, in: "query", schema });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answers = (schema: object) => ({ "200": { description: "Done.", ...json(schema) } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const list = (name: string, parameters: object[] = []) => ({
  operationId: `list${name}s`,
  parameters,
  responses: answers({ type: "array", items: ref(name) }),
});
const record = (id: string, name: string) => ({ operationId: id, responses: answers(ref(name)) });
const changing = (id: string, name: string) => ({ ...record(id, name), requestBody: json(ref(name)) });

const described = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Slow", version: "1" },
  servers: [{ url: "https://slow.example.com" }],
  paths: {
    "/boxes": {
      get: list("Box", [inQuery("weight", { type: "number" }), inQuery("ownerId")]),
      post: changing("createBox", "Box"),
    },
    "/boxes/{boxId}": { parameters: [inPath("boxId")], get: record("getBox", "Box") },
    "/owners": { get: list("Owner", [inQuery("search")]), post: changing("createOwner", "Owner") },
    "/owners/{ownerId}": { parameters: [inPath("ownerId")], get: record("getOwner", "Owner") },
    "/repos/{repo}/issues": { parameters: [inPath("repo")], get: list("Issue") },
    "/repos/{repo}/issues/{issueId}": {
      parameters: [inPath("repo"), inPath("issueId")],
      patch: changing("updateIssue", "Issue"),
    },
    "/entries": {
      get: {
        operationId: "listEntries",
        parameters: [inQuery("cursor"), inQuery("limit", { type: "integer", default: 2 })],
        responses: answers({
          type: "object",
          properties: { items: { type: "array", items: ref("Entry") }, next_cursor: { type: ["string", "null"] } },
        }),
      },
    },
  },
  components: {
    schemas: {
      Box: { type: "object", properties: { id: text, name: text, weight: { type: "number" }, ownerId: text } },
      Owner: { type: "object", properties: { id: text, name: text } },
      Issue: { type: "object", properties: { id: text, title: text } },
      Entry: { type: "object", properties: { id: text, name: text } },
    },
  },
});

const moment = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const owners = [
  { id: "o1", name: "Ada" },
  { id: "o2", name: "Grace" },
];

async function slow({ method, path, query }: Asked): Promise<Answer> {
  await moment(method === "POST" ? 1500 : 400);
  const [, collection, repo] = path.split("/");
  if (method === "POST") return { json: { id: "9", name: "New" } };
  if (collection === "owners") return { json: owners.filter(({ name }) => name.includes(query.search ?? "")) };
  if (collection === "repos") return { json: [{ id: "1", title: `of ${repo}` }] };
  if (collection !== "entries") return { json: [{ id: "1", name: "Crate", weight: 1.5 }] };
  const from = Number(query.cursor ?? 0);
  const items = [from + 1, from + 2].map((id) => ({ id: String(id), name: `Entry ${id}` }));
  return { json: { items, next_cursor: from < 6 ? String(from + 2) : null } };
}

describeInChromium("while the API takes its time", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  let url = "";
  let api: Awaited<ReturnType<typeof recordingApi>>;
  let page: Page;
  beforeAll(async () => {
    url = await serve("Slow", generate(specOf(described)).code);
    api = await recordingApi(slow);
  });
  beforeEach(async () => {
    page = await newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${url}#/`);
    await connect(page, api.url);
  });

  test("a number is filtered by as it was typed, however slowly", async () => {
    await arrive(page, "#/box");
    const weight = page.getByRole("search").getByLabel("Weight");
    await weight.click();
    await page.keyboard.type("1.");
    await expect.poll(() => page.url()).toMatch(/weight=1$/);
    await page.keyboard.type("5");
    await expect.poll(() => page.url()).toMatch(/weight=1\.5$/);
    expect(await weight.inputValue()).toBe("1.5");
  });

  test("Enter in a picker takes what is found, and not the words that it is looked for with", async () => {
    await arrive(page, "#/box/new");
    await field(page, "Owner ID").click();
    await page.keyboard.type("Gra");
    await page.keyboard.press("Enter");
    await expect.poll(() => field(page, "Owner ID").inputValue()).toBe("Grace (o2)");
  });

  test("a record of the same key elsewhere is another one", async () => {
    await arrive(page, "#/repo-issue/1?repo=a");
    await expect.poll(() => page.locator("h1").innerText()).toBe("of a");
    await visit(page, "#/repo-issue/1/edit?repo=b");
    await expect.poll(() => field(page, "Title").inputValue()).toBe("of b");
  });

  test("the next page but one is not the first", async () => {
    await arrive(page, "#/entry");
    await page.getByText("Entry 2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Next page" }).dblclick();
    await page.getByText("Entry 4", { exact: true }).waitFor();
    await moment(600);
    expect(await page.locator("tbody").innerText()).toContain("Entry 4");
  });

  test("what was created does not lead away from another form", async () => {
    await arrive(page, "#/owner/new");
    await field(page, "Name").fill("Ada");
    await page.getByRole("button", { name: "Create owner" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Boxes" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await arrive(page, "#/box/new");
    await field(page, "Name").fill("Crate");
    await page.getByText("Created New.").waitFor();
    expect([await field(page, "Name").inputValue(), new URL(page.url()).hash]).toEqual(["Crate", "#/box/new"]);
  });
});
