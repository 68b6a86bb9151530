import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type Answer, type Asked, recordingApi } from "../testing/interface-api.ts";
import { field } from "../testing/interface-form.ts";
import { answerLists, listsSpecimen } from "../testing/interface-lists.ts";
import { arrive, connect } from "../testing/interface-live.ts";
import { interfaceServers } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { specimen } from "../testing/interface-specimen.ts";
import { workshop } from "../testing/interface-workshop.ts";
import { generate } from "./generate.ts";
import type { Customization } from "./kit/customizing/customization.ts";

// What is wished for holds when the interface talks to the API: it is asked for what it can do, and the rest is done and told here.

const lists: Customization[] = [
  { change: "pageSize", size: 5 },
  { change: "order", resource: "pear", field: "name", descending: true },
  { change: "order", resource: "onion", field: "id", descending: true },
  { change: "rows", resource: "pear", field: "status", values: ["closed"], not: true },
  { change: "rows", resource: "onion", field: "status", values: ["closed"] },
  { change: "search", resource: "onion", on: true, fields: ["name"] },
  { change: "search", resource: "pear", on: false },
  { change: "filter", resource: "onion", field: "status", on: true },
  { change: "view", resource: "carrot", view: "board", by: "status" },
];

const machines: Customization[] = [
  { change: "fieldShown", resource: "machine", field: "nickname", shown: false },
  { change: "fieldReadOnly", resource: "machine", field: "weight", readOnly: true },
  { change: "fieldLabel", resource: "machine", field: "name", label: "Plate" },
  { change: "operationConfirmed", resource: "machine", operation: "update", ask: true },
  { change: "actionConfirmed", resource: "machine", action: "start-machine", ask: true },
];

const job = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
const answers = (schema: object) => ({ "200": { description: "", content: { "application/json": { schema } } } });
const jobs = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Jobs", version: "1" },
  paths: {
    "/jobs": { get: { responses: answers({ type: "array", items: job }) } },
    "/jobs/{jobId}": {
      parameters: [{ name: "jobId", in: "path", required: true, schema: { type: "string" } }],
      get: { responses: answers(job) },
    },
    "/jobs/{jobId}/retry": {
      parameters: [{ name: "jobId", in: "path", required: true, schema: { type: "string" } }],
      post: { operationId: "retryJob", summary: "Retry job", responses: { "204": { description: "" } } },
    },
  },
});

const answerJobs = ({ method, path }: Asked): Answer => {
  if (method === "POST") return { status: 204 };
  const one = { id: "1", name: "Nightly" };
  return { json: path === "/jobs" ? [one] : one };
};

describeInChromium("a customized interface, connected to an API", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  const apis: Record<string, Awaited<ReturnType<typeof recordingApi>>> = {};
  const urls: Record<string, string> = {};
  beforeAll(async () => {
    const all: [string, string, Customization[], (asked: Asked) => Answer][] = [
      ["lists", listsSpecimen, lists, answerLists],
      ["machines", specimen, machines, workshop()],
      ["jobs", jobs, [{ change: "actionConfirmed", action: "retry-job", ask: false }], answerJobs],
    ];
    for (const [name, described, customizations, answer] of all) {
      urls[name] = await serve(name, generate(specOf(described), { customizations }).code);
      apis[name] = await recordingApi(answer);
    }
  });
  beforeEach(() => {
    for (const { asked } of Object.values(apis)) asked.length = 0;
  });

  async function open(name: string, screen: string): Promise<Page> {
    const page = await newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${urls[name]}#/nothing`);
    await connect(page, apis[name]?.url ?? "");
    await arrive(page, screen);
    return page;
  }

  const asked = (name: string) => apis[name]?.asked ?? [];
  const shown = (page: Page) => page.locator("table.table-records tbody .row-link").allInnerTexts();

  test("asks for its rows as they are wanted, where the API can do that", async () => {
    const page = await open("lists", "#/pear");
    expect(asked("lists").at(-1)?.query).toEqual({ page: "1", per_page: "5", sort: "-name", status: "open" });
    await page.getByText("Pears whose status is Closed are not shown.").waitFor();
    expect(await page.getByRole("searchbox").count()).toBe(0);
    // What a rule asks for is not what the person chose.
    expect(await page.getByLabel("Status").inputValue()).toBe("");
    await page.getByRole("button", { name: "Show all pears" }).click();
    await expect.poll(() => asked("lists").at(-1)?.query).toEqual({ page: "1", per_page: "5", sort: "-name" });
    await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
    await expect.poll(() => page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).not.toBeNull();
  });

  test("does the rest with the rows of a page, and says so", async () => {
    const page = await open("lists", "#/onion");
    expect(asked("lists").at(-1)?.query).toEqual({ offset: "0", limit: "5" });
    expect(await shown(page)).toEqual(["Row 4", "Row 1"]);
    await page
      .getByText(
        "Only the rows of this page are sorted: the API cannot sort by this. Only the rows of this page were filtered: the API cannot filter by this.",
      )
      .waitFor();
    await page.getByRole("searchbox", { name: "Search onions by name" }).fill("4");
    await page.getByText("Only the rows of this page were searched.").waitFor();
    expect(await shown(page)).toEqual(["Row 4"]);
    expect(asked("lists").some(({ query }) => Object.hasOwn(query, "q"))).toBe(false);
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "Show all onions" }).click();
    await page.getByLabel("Status").selectOption({ label: "Open" });
    await expect.poll(() => shown(page)).toEqual(["Row 5", "Row 3", "Row 2"]);
    // A page without a match is not the end.
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => shown(page)).toEqual(["Row 9", "Row 8", "Row 6"]);
  });

  test("has pages where the API has none, and boards of one page at a time", async () => {
    const page = await open("lists", "#/apple");
    expect(await shown(page)).toEqual(["Row 1", "Row 2", "Row 3", "Row 4", "Row 5"]);
    const requests = asked("lists").length;
    await page.getByRole("button", { name: "Page 10" }).click();
    await expect.poll(() => shown(page)).toEqual(["Row 46", "Row 47"]);
    expect(asked("lists")).toHaveLength(requests);
    await page.getByLabel("Rows per page").selectOption("50");
    await page.getByText("1–47 of 47").waitFor();
    await arrive(page, "#/carrot");
    expect(await page.locator(".board-count").allInnerTexts()).toEqual(["3", "2"]);
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => page.locator(".record-card .row-link").first().innerText()).toBe("Row 6");
  });

  test("sends along what is not entered, after it has asked", async () => {
    const page = await open("machines", "#/machine/m1/edit");
    expect(await page.getByLabel(/^(Nickname|Weight)/).count()).toBe(0);
    await field(page, "Plate").fill("New press");
    await page.getByRole("button", { name: "Save changes" }).click();
    const question = page.getByRole("dialog", { name: "Save changes?" });
    await question.waitFor();
    expect(asked("machines").some(({ method }) => method === "PUT")).toBe(false);
    await question.getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/^Saved /).waitFor();
    const sent = asked("machines").find(({ method }) => method === "PUT");
    expect(JSON.parse(sent?.body ?? "{}")).toMatchObject({ name: "New press", nickname: "Bertha", weight: 40.5 });
  });

  test("asks once more about an action that is filled in, and not at all about one that needs nothing", async () => {
    const page = await open("machines", "#/machine/m1");
    await page.getByRole("button", { name: "Start machine" }).click();
    await page
      .getByRole("dialog")
      .getByLabel(/^Speed/)
      .fill("3");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Start machine?" }).getByRole("button", { name: "Start machine" }).click();
    await expect.poll(() => asked("machines").filter(({ method }) => method === "POST")).toHaveLength(1);
    const other = await open("jobs", "#/job/1");
    await other.getByRole("button", { name: "Retry job" }).click();
    await other.getByText("Retry job: done.").waitFor();
    expect(asked("jobs").filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
