import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { recordingApi } from "../testing/interface-api.ts";
import { allRows, answerLists, listsSpecimen } from "../testing/interface-lists.ts";
import { connect, visit } from "../testing/interface-live.ts";
import { interfaceServers } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { generate } from "./generate.ts";

// Lists of a real server with 47 rows, each paged in another way.

describeInChromium("the lists of a generated interface", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  let url = "";
  let api: Awaited<ReturnType<typeof recordingApi>>;
  beforeAll(async () => {
    url = await serve("Shelves", generate(specOf(listsSpecimen), { theme: "system" }).code);
    api = await recordingApi(answerLists);
  });
  beforeEach(() => {
    api.asked.length = 0;
  });

  async function open(screen: string, at = url): Promise<Page> {
    const page = await newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${at}#/nothing`);
    await connect(page, api.url);
    await visit(page, screen);
    await names(page).first().waitFor();
    return page;
  }

  const names = (page: Page) => page.locator("table.table-records tbody .row-link");
  const shown = (page: Page) => names(page).allInnerTexts();
  const step = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const queries = () => api.asked.map(({ query }) => query);
  const everyName = allRows.map(({ name }) => name);
  const pageAt = (index: number) => everyName.slice(index * 10, index * 10 + 10);

  const kinds = [
    { kind: "page numbers", screen: "#/pear", fourth: { page: "4", per_page: "10" } },
    { kind: "offsets", screen: "#/onion", fourth: { offset: "30", limit: "10" } },
    { kind: "cursors", screen: "#/carrot", fourth: { cursor: "30", limit: "10" } },
    { kind: "cursors in addresses", screen: "#/urchin", fourth: { after: "30", limit: "10" } },
    { kind: "Link headers", screen: "#/lemon", fourth: { after: "30", per_page: "10" } },
  ];
  test.each(kinds)("are visited to the end and back by $kind", async ({ screen, fourth }) => {
    const page = await open(screen);
    expect(await step(page, "Previous page").isDisabled()).toBe(true);
    for (const index of [0, 1, 2, 3]) {
      await expect.poll(() => shown(page)).toEqual(pageAt(index));
      await step(page, "Next page").click();
    }
    await expect.poll(() => shown(page)).toEqual(everyName.slice(40));
    expect(await step(page, "Next page").isDisabled()).toBe(true);
    for (const index of [3, 2, 1, 0]) {
      await step(page, "Previous page").click();
      await expect.poll(() => shown(page)).toEqual(pageAt(index));
    }
    expect(queries()[3]).toEqual(fourth);
    await page.getByText(/^1–10/).waitFor();
  });

  test("remember their page in the address, and for the way back", async () => {
    const page = await open("#/pear");
    await step(page, "Page 3").click();
    await expect.poll(() => shown(page)).toEqual(pageAt(2));
    expect(page.url()).toMatch(/#\/pear\?page=3$/);
    await page.goBack();
    await expect.poll(() => shown(page)).toEqual(pageAt(0));
  });

  test("have as many rows as one chooses", async () => {
    const page = await open("#/onion");
    await page.getByLabel("Rows per page").selectOption("50");
    await expect.poll(() => shown(page)).toEqual(everyName);
    expect(queries().at(-1)).toEqual({ offset: "0", limit: "50" });
    await page.getByText("1–47 of 47").waitFor();
    expect(await step(page, "Next page").isDisabled()).toBe(true);
  });

  test("have no paging without a parameter for it, and none if none is wanted", async () => {
    const page = await open("#/apple");
    expect(await shown(page)).toEqual(everyName);
    expect(await page.getByRole("navigation", { name: "Pages" }).count()).toBe(0);
    const bare = await serve("Shelves", generate(specOf(listsSpecimen), { pagination: false }).code);
    const unpaged = await open("#/pear", bare);
    expect(await unpaged.getByRole("navigation", { name: "Pages" }).count()).toBe(0);
    expect(await unpaged.locator("table.table-records tbody tr").count()).toBe(47);
  });

  test("are filtered, searched and sorted by what the API declares, from the first page on", async () => {
    const page = await open("#/pear?page=3");
    await expect.poll(() => shown(page)).toEqual(pageAt(2));
    await page.getByLabel("Status").selectOption({ label: "Closed" });
    await expect.poll(() => queries().at(-1)).toMatchObject({ status: "closed" });
    await page.getByRole("searchbox", { name: "Search pears" }).fill("needle");
    await expect.poll(() => queries().at(-1)).toMatchObject({ status: "closed", q: "needle" });
    const heading = page.getByRole("columnheader", { name: "Name" });
    await heading.getByRole("button").click();
    await expect.poll(() => queries().at(-1)?.sort).toBe("name");
    await heading.getByRole("button").click();
    await expect.poll(() => queries().at(-1)?.sort).toBe("-name");
    expect(["1", undefined]).toContain(queries().at(-1)?.page);
    await page.getByRole("button", { name: "Clear all" }).click();
    await expect.poll(() => Object.hasOwn(queries().at(-1) ?? {}, "status")).toBe(false);
  });

  test("say when only one page of them is sorted", async () => {
    const page = await open("#/onion");
    await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
    await page.getByText("Only the rows of this page are sorted: the API cannot sort by this.").waitFor();
    expect(queries().some((query) => Object.hasOwn(query, "sort"))).toBe(false);
  });
});
