import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { descriptions } from "../testing/descriptions.ts";
import { findingsInBothThemes, seeIn } from "../testing/interface-axe.ts";
import { field } from "../testing/interface-form.ts";
import { arrive } from "../testing/interface-live.ts";
import { complaintsOf, interfaceServers } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { specimen } from "../testing/interface-specimen.ts";
import { generate } from "./generate.ts";
import type { Customization } from "./kit/customizing/customization.ts";
import type { NormalizedSpec } from "./normalized-spec.ts";

// What is wished for is what is seen, on sample data.

const [petstore] = descriptions(["petstore.yaml"]);
const pet = { resource: "pet" } as const;
const machine = { resource: "machine" } as const;

/** An interface of cards, with other names and words. */
const cards: Customization[] = [
  { change: "apiTitle", title: "Shelter" },
  { change: "home", resource: "pet" },
  { change: "accent", color: "#ffcc00" },
  { change: "density", density: "compact" },
  { change: "corners", corners: "square" },
  { change: "textSize", size: "large" },
  { change: "summaryShown", summary: "get-inventory", shown: false },
  { change: "resourceName", ...pet, name: "Animal", plural: "Animals" },
  { change: "resourceText", ...pet, text: "Who lives here." },
  { change: "resourceGroup", resource: "order", group: "Sales" },
  { change: "resourcePlace", resource: "order", place: "first" },
  { change: "resourceShown", resource: "user", shown: false },
  { change: "view", ...pet, view: "cards" },
  { change: "pageSize", ...pet, size: 6 },
  { change: "order", ...pet, field: "name", descending: true },
  { change: "columnShown", ...pet, field: "id", shown: false },
  { change: "columnShown", ...pet, field: "category", shown: false },
  { change: "columnPlace", ...pet, field: "category.name", place: "first" },
  { change: "fieldLabel", ...pet, field: "category.name", label: "Kind" },
  { change: "rows", ...pet, field: "status", values: ["pending"], not: true },
  { change: "search", ...pet, on: true, fields: ["name"] },
  { change: "filter", ...pet, field: "tags", on: false },
  { change: "filter", ...pet, field: "name", on: true },
  { change: "optionLabel", ...pet, field: "status", value: "sold", label: "Gone" },
  { change: "optionTone", ...pet, field: "status", value: "sold", tone: "bad" },
  { change: "operationLabel", ...pet, operation: "create", label: "Take one in" },
  { change: "operationConfirmed", ...pet, operation: "remove", ask: false },
  { change: "operationOffered", ...pet, operation: "update", offered: false },
  { change: "actionOffered", ...pet, action: "upload-file", offered: false },
  { change: "actionLabel", ...pet, action: "update-pet-with-form", label: "Rename" },
  { change: "fieldLabel", field: "nothing", label: "Costs nothing" },
];

/** A table in which every column has another format. */
const formats: Customization[] = [
  { change: "accent", color: "#d11a6b" },
  { change: "layout", layout: "top" },
  { change: "columns", ...machine, fields: ["name", "weight", "batch", "servicedAt", "code", "contact", "homepage"] },
  { change: "columnShown", ...machine, field: "active", shown: true },
  { change: "fieldFormat", ...machine, field: "weight", format: "currency", currency: "EUR" },
  { change: "fieldFormat", ...machine, field: "batch", format: "stars" },
  { change: "fieldFormat", ...machine, field: "servicedAt", format: "relative" },
  { change: "fieldFormat", ...machine, field: "code", format: "badge" },
  { change: "fieldFormat", ...machine, field: "contact", format: "color" },
  { change: "fieldFormat", ...machine, field: "homepage", format: "text" },
  { change: "optionLabel", ...machine, field: "active", value: true, label: "Running" },
  { change: "optionTone", ...machine, field: "active", value: true, tone: "good" },
  { change: "recordTitle", ...machine, field: "code" },
  { change: "fieldShown", ...machine, field: "nickname", shown: false },
  { change: "fieldPlace", ...machine, field: "weight", place: "first" },
  { change: "fieldHelp", field: "name", text: "As on the plate." },
  { change: "fieldDefault", ...machine, field: "batch", value: 15 },
  { change: "fieldRequired", ...machine, field: "code", required: true },
  { change: "operationConfirmed", resource: "owner", operation: "create", ask: true },
];

const board: Customization[] = [
  { change: "view", ...pet, view: "board", by: "status" },
  { change: "fieldFormat", ...pet, field: "photoUrls", format: "image" },
];

describeInChromium("an interface that is customized", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  const served = (spec: NormalizedSpec, customizations: Customization[]) =>
    serve("Customized", generate(spec, { theme: "system", customizations }).code);
  let shelter = "";
  let workshop = "";
  beforeAll(async () => {
    shelter = await served(petstore.spec(), cards);
    workshop = await served(specOf(specimen), formats);
  });

  async function open(url: string, screen: string, width = 1280): Promise<Page> {
    const page = await newPage({ viewport: { width, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
    await page.goto(`${url}${screen}`);
    await page.locator("main h1").waitFor();
    return page;
  }

  const titles = (page: Page) => page.locator(".record-card .row-link").allInnerTexts();
  const property = (page: Page, name: string) =>
    page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue("${name}").trim()`);
  const widerThanWindow = (page: Page) =>
    page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");

  test("starts where it is to start, under the names that it is to have", async () => {
    const page = await open(shelter, "");
    const complaints = complaintsOf(page, shelter);
    expect(await page.locator("main h1").innerText()).toBe("Animals");
    expect(await page.locator(".page-description").innerText()).toBe("Who lives here.");
    expect(await page.title()).toBe("Animals · Shelter");
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    expect(await links.allInnerTexts()).toEqual(["Overview", "Orders", "Animals"]);
    await links.first().click();
    await page.getByRole("heading", { name: "Shelter" }).waitFor();
    expect(await page.locator(".resource-name").allInnerTexts()).toEqual(["Orders", "Animals"]);
    expect(await page.locator(".summary-card").count()).toBe(0);
    await page.keyboard.press("Control+k");
    expect(await page.getByRole("option").allInnerTexts()).toEqual(["Overview", "Orders\nSales", "Animals"]);
    await page.keyboard.press("Escape");
    await arrive(page, "#/user");
    expect(await page.locator("main h1").innerText()).toBe("Users");
    expect(complaints).toEqual([]);
  });

  test("looks as it is to look, and can be read", async () => {
    const page = await open(shelter, "#/pet");
    const size = await page.evaluate("getComputedStyle(document.body).fontSize");
    expect([size, await property(page, "--radius"), await property(page, "--cell")]).toEqual([
      "16.1875px",
      "0px",
      "4px",
    ]);
    await seeIn(page, "dark");
    const colors = `(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector(".button-primary")))`;
    await expect.poll(() => page.evaluate(colors)).toEqual(["rgb(255, 204, 0)", "rgb(0, 0, 0)"]);
    expect(await findingsInBothThemes(page)).toEqual([]);
  });

  test("shows cards with what they are to show, in their order and on their pages", async () => {
    const page = await open(shelter, "#/pet");
    const all = await titles(page);
    expect(all).toHaveLength(6);
    expect(all).toEqual(all.toSorted((one, other) => other.localeCompare(one)));
    const facts = page.locator(".record-card").first().locator("dt");
    expect(await facts.allInnerTexts()).toEqual(["Kind", "Tags", "Status"]);
    expect(await page.locator(".record-card .badge-bad").first().innerText()).toBe("Gone");
    await page.getByText("Animals whose status is Pending are not shown.").waitFor();
    await page.getByText("1–6 of 32").waitFor();
    await page.getByRole("button", { name: "Page 6", exact: true }).click();
    await expect.poll(() => titles(page)).toHaveLength(2);
    await page.getByRole("button", { name: "Show all animals" }).click();
    await page.getByText(/^\d+–\d+ of 47$/).waitFor();
    // For this visit, also elsewhere and back.
    await arrive(page, "#/order");
    await arrive(page, "#/pet");
    await page.getByText("All animals are shown for now.").waitFor();
    await page.getByRole("button", { name: "Show as usual" }).click();
    await page.getByText("1–6 of 32").waitFor();
  });

  test("is searched and filtered where that is wanted", async () => {
    const page = await open(shelter, "#/pet");
    const filters = page.getByRole("search");
    expect(await filters.locator(".filter label").allInnerTexts()).toEqual(["Status", "Name"]);
    await filters.getByLabel("Name", { exact: true }).fill("oc");
    await expect.poll(() => page.url()).toMatch(/name=oc$/);
    expect(await titles(page)).toEqual(expect.arrayContaining([expect.stringMatching(/oc/i)]));
    expect((await titles(page)).filter((title) => !/oc/i.test(title))).toEqual([]);
    await page.getByRole("button", { name: "Clear all" }).click();
    // A status is none of the fields that are searched.
    await filters.getByRole("searchbox", { name: "Search animals by name" }).fill("available");
    await page.getByText("No animals match “available”").waitFor();
  });

  test("offers what it is to offer, and asks only when it is to ask", async () => {
    const page = await open(shelter, "#/pet");
    const [first = ""] = await titles(page);
    await page.locator(".record-card").first().getByRole("button", { name: "Actions" }).click();
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Rename", "Delete"]);
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText(`Deleted ${first}.`).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByText("1–6 of 31").waitFor();
    // The title is a link; the card around it is only a larger target.
    await page.locator(".record-card dl").first().click();
    await expect.poll(() => page.url()).toMatch(/#\/pet\/\d+$/);
    expect(await page.locator(".page-actions").innerText()).not.toMatch(/Edit|Upload/);
    await page.goBack();
    await page.getByRole("link", { name: "Take one in" }).click();
    expect(await page.locator("main h1").innerText()).toBe("Take one in");
  });

  test("shows values in their formats, in a table and on the page of a record", async () => {
    const page = await open(workshop, "#/machine");
    const cells = page.locator("tbody tr").first().locator("td");
    expect(await cells.nth(1).innerText()).toMatch(/^€\d+\.\d\d$/);
    expect(await cells.nth(2).locator(".visually-hidden").innerText()).toMatch(/^\d+ of 5$/);
    expect(await cells.nth(3).locator("time").innerText()).toMatch(/ago|in |now|yesterday|tomorrow|last|next/);
    expect(await cells.nth(4).locator(".badge").count()).toBe(1);
    expect(await cells.nth(5).locator(".swatch").count()).toBe(1);
    expect(await cells.nth(6).locator("a").count()).toBe(0);
    expect(await page.locator("tbody .badge-good").first().innerText()).toBe("Running");
    expect(await findingsInBothThemes(page)).toEqual([]);
    const code = await cells.nth(4).innerText();
    await cells.first().getByRole("link").click();
    await page.getByRole("heading", { name: code, level: 1 }).waitFor();
    const names = await page.locator(".properties dt").allInnerTexts();
    expect(names[0]).toBe("Weight");
    expect(names).not.toContain("Nickname");
    expect(await page.locator(".properties dd").first().innerText()).toMatch(/^€/);
  });

  test("has forms with what is to be entered, and asks before sending if it is to", async () => {
    const page = await open(workshop, "#/machine/new");
    expect(await field(page, "Batch").inputValue()).toBe("15");
    expect(await page.locator(".form .field-label").first().innerText()).toMatch(/^Weight/);
    expect(await page.getByLabel(/^Nickname/).count()).toBe(0);
    await page.getByText("As on the plate.").first().waitFor();
    await page.getByRole("button", { name: "Create machine" }).click();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("Code");
    await arrive(page, "#/owner/new");
    await field(page, "Name").fill("Zoe");
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Create owner?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(page.url()).toMatch(/#\/owner\/new$/);
    await page.keyboard.press("Enter");
    await question.getByRole("button", { name: "Create owner" }).click();
    await page.getByText("Created Zoe.").waitFor();
  });

  test("shows a board with a column for each value, that axe finds nothing serious in, also on a phone", async () => {
    const url = await served(petstore.spec(), board);
    const page = await open(url, "#/pet", 390);
    const columns = page.locator(".board-column");
    expect(await columns.locator(".board-title .badge").allInnerTexts()).toEqual(["Available", "Pending", "Sold"]);
    const counts = (await columns.locator(".board-count").allInnerTexts()).map(Number);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(47);
    expect(await columns.first().locator(".record-card").count()).toBe(counts[0]);
    expect(await columns.first().locator("dt").allInnerTexts()).not.toContain("Status");
    expect(await page.locator(".card-picture").count()).toBe(47);
    expect(await widerThanWindow(page)).toBe(0);
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel("Status").selectOption({ label: "Sold" });
    await expect.poll(() => columns.locator(".board-count").allInnerTexts()).toEqual(["0", "0", String(counts[2])]);
    await columns.last().locator(".row-link").first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/#\/pet\/\d+$/);
  });

  test.each(["#/pet", "#/machine"])("%s fits on a phone", async (screen) => {
    const page = await open(screen === "#/pet" ? shelter : workshop, screen, 390);
    expect(await widerThanWindow(page)).toBe(0);
  });
});
