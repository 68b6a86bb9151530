import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { findingsInBothThemes } from "../testing/interface-axe.ts";
import { openConnect } from "../testing/interface-live.ts";
import { interfaceServers } from "../testing/interface-page.ts";
import { openSimulated, type Simulation, simulatingInterface, specOf } from "../testing/interface-simulated.ts";
import { guardedSpecimen, specimen } from "../testing/interface-specimen.ts";

// What opens over a screen, and what went wrong on it, looked at by axe.

describeInChromium("axe finds nothing serious", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  let url = "";
  let guarded = "";
  beforeAll(async () => {
    url = await serve("Workshop", simulatingInterface(specOf(specimen)));
    guarded = await serve("Doors", simulatingInterface(specOf(guardedSpecimen)));
  });

  interface Look {
    what: string;
    screen: string;
    simulation?: Simulation;
    /** What brings it up, and the selector of what is then there. */
    open?: (page: Page) => Promise<unknown>;
    there: string;
  }
  const firstRecord = (page: Page) => page.locator("tbody a").first().click();
  const button = (page: Page, name: string | RegExp) => page.locator("main").getByRole("button", { name });
  const looks: Look[] = [
    {
      what: "the dialog that deletes",
      screen: "#/owner",
      open: async (page) => {
        await firstRecord(page);
        await button(page, "Delete").click();
      },
      there: "dialog[open]",
    },
    {
      what: "the dialog of an action, refused",
      screen: "#/machine",
      open: async (page) => {
        await firstRecord(page);
        await button(page, "Start machine").click();
        await page.getByRole("dialog").getByRole("button", { name: "Start machine" }).click();
      },
      there: "dialog[open] [role=alert]",
    },
    {
      what: "the dialog that uploads",
      screen: "#/machine",
      open: async (page) => {
        await firstRecord(page);
        await button(page, "Upload photo").click();
      },
      there: "dialog[open] input[type=file]",
    },
    { what: "the palette", screen: "#/", open: (page) => page.keyboard.press("Control+k"), there: "[role=option]" },
    {
      what: "the menu of a row",
      screen: "#/owner",
      open: (page) => page.locator("tbody tr").first().getByRole("button").last().click(),
      there: "[role=menu]",
    },
    {
      what: "the choice of a theme",
      screen: "#/",
      open: (page) =>
        page
          .getByRole("button", { name: /^Theme/ })
          .filter({ visible: true })
          .click(),
      there: "[role=menu]",
    },
    {
      what: "the choice of columns",
      screen: "#/machine",
      open: (page) => page.getByRole("button", { name: "Columns" }).click(),
      there: "[role=dialog] input",
    },
    {
      what: "a form with errors and everything open",
      screen: "#/machine/new",
      open: async (page) => {
        await page.getByText(/^More fields/).click();
        for (const add of await page.getByRole("button", { name: /^Add / }).all()) await add.click();
        await page.getByLabel("Kind of drive").selectOption({ label: "Electric" });
        await page.getByRole("button", { name: "Create machine" }).click();
      },
      there: ".field-error",
    },
    {
      what: "a form for which one has to sign in",
      screen: "#/owner/new",
      simulation: { createOwner: "unauthorized" },
      open: async (page) => {
        await page.getByLabel(/^Name/).fill("Zoe");
        await page.getByRole("button", { name: "Create owner" }).click();
      },
      there: ".summary .button",
    },
    {
      what: "the list of a picker",
      screen: "#/owner-note",
      open: (page) => page.getByRole("combobox").first().click(),
      there: ".picker [role=option]",
    },
    { what: "an empty list", screen: "#/owner", simulation: { listOwners: "empty" }, there: ".empty" },
    {
      what: "a list in which nothing is found",
      screen: "#/machine?kind=drill",
      simulation: { listMachines: "empty" },
      there: ".empty",
    },
    { what: "a failed list", screen: "#/owner", simulation: { listOwners: "error" }, there: "[role=alert]" },
    { what: "a list for others", screen: "#/owner", simulation: { listOwners: "unauthorized" }, there: "[role=alert]" },
    { what: "a failed figure", screen: "#/", simulation: { getStatistics: "forbidden" }, there: "[role=alert]" },
    { what: "a record that is not there", screen: "#/owner/nobody", there: ".empty" },
    { what: "an address of nothing", screen: "#/nothing", there: ".empty" },
  ];

  test.each(looks)("on $what", async ({ screen, simulation = {}, open, there }) => {
    const page = await newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
    await openSimulated(page, url, screen, simulation);
    await open?.(page);
    await page.locator(there).first().waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    expect(await page.locator(there).count()).toBeGreaterThan(0);
  });

  test("on the dialog that connects, with every scheme", async () => {
    const page = await newPage({ reducedMotion: "reduce" });
    await page.goto(guarded);
    await openConnect(page);
    expect(await findingsInBothThemes(page)).toEqual([]);
  });
});
