import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { descriptions } from "../testing/descriptions.ts";
import { findingsInBothThemes } from "../testing/interface-axe.ts";
import { focused } from "../testing/interface-keyboard.ts";
import { interfaceServers, seriousFindings } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { specimen } from "../testing/interface-specimen.ts";
import { generate } from "./generate.ts";

// The same interface on phones, tablets and desks, with few resources and with many.

const [petstore, museum] = descriptions(["petstore.yaml", "museum.yaml"]);

describeInChromium("a generated interface of any size", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  const shops: { name: string; url: string; list: string; fresh: string }[] = [
    { name: "Workshop", url: "", list: "#/machine", fresh: "#/machine/new" },
    { name: "Petstore", url: "", list: "#/pet", fresh: "#/pet/new" },
    { name: "Museum", url: "", list: "#/special-event", fresh: "#/special-event/new" },
  ];
  let top = "";
  beforeAll(async () => {
    const specs = [specOf(specimen), petstore?.spec(), museum?.spec()];
    for (const [index, spec] of specs.entries()) {
      const shop = shops[index];
      if (shop && spec) shop.url = await serve(shop.name, generate(spec, { theme: "system" }).code);
    }
    top = await serve("Workshop", generate(specOf(specimen), { theme: "system", layout: "top" }).code);
  });

  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };
  const tablet = { viewport: { width: 768, height: 1024 }, hasTouch: true };

  async function show(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.locator("main .skeleton").count()).toBe(0);
  }

  /** What is wider than the window, and is no part of something that scrolls by itself. */
  const widerThanPage = (page: Page) =>
    page.evaluate<string[]>(`(() => {
      const width = document.documentElement.clientWidth;
      const scrolls = (one) => one && (/auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
      if (document.documentElement.scrollWidth <= width) return [];
      return [...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > width + 1 && !scrolls(one.parentElement))
        .map((one) => one.tagName + "." + one.className + " " + one.textContent.slice(0, 40));
    })()`);

  const screensOf = async (page: Page, { url, list, fresh }: (typeof shops)[number]) => {
    await show(page, `${url}${list}`);
    const record = await page.locator("tbody a").first().getAttribute("href");
    return [list, `${record}`, `${record}/edit`, fresh, "#/"];
  };

  describe.each(shops)("$name", (shop) => {
    test("fits on a phone, and axe finds nothing", async () => {
      const page = await newPage({ ...phone, reducedMotion: "reduce" });
      for (const screen of await screensOf(page, shop)) {
        await show(page, `${shop.url}${screen}`);
        const found = { screen, wider: await widerThanPage(page), axe: await findingsInBothThemes(page) };
        expect(found).toEqual({ screen, wider: [], axe: [] });
      }
    });

    test("fits on a tablet", async () => {
      const page = await newPage(tablet);
      for (const screen of await screensOf(page, shop)) {
        await show(page, `${shop.url}${screen}`);
        expect({ screen, wider: await widerThanPage(page) }).toEqual({ screen, wider: [] });
      }
    });
  });

  test("on a phone the menu opens over the page, leads on, and gives the focus back", async () => {
    const page = await newPage(phone);
    await show(page, `${shops[0]?.url}#/`);
    const button = page.getByRole("button", { name: "Open menu" });
    await button.tap();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await menu.getByRole("link", { name: "Owners" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("button Open menu");
    await button.tap();
    await menu.getByRole("link", { name: "Owners" }).tap();
    await page.getByRole("heading", { level: 1, name: "Owners" }).waitFor();
    await menu.waitFor({ state: "detached" });
  });

  test("on a phone a record is created and deleted by touch, and everything is large enough to touch", async () => {
    const page = await newPage({ ...phone, isMobile: true });
    await show(page, `${shops[0]?.url}#/owner/new`);
    const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(heading?.y).toBeLessThan(160); // a short page begins at the top, too
    await page.getByLabel(/^Name/).tap();
    await page.keyboard.type("Zoe");
    await page.getByRole("button", { name: "Create owner" }).tap();
    await page.getByRole("heading", { level: 1, name: "Zoe" }).waitFor();
    const small = await page
      .locator("main")
      .locator("button, .button")
      .evaluateAll((all) =>
        all
          .filter((one) => one.getBoundingClientRect().height < 24 && one.getBoundingClientRect().width > 0)
          .map((one) => one.outerHTML.slice(0, 120)),
      );
    expect(small).toEqual([]);
    await page.getByRole("button", { name: "Delete" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).tap();
    await page.getByText("Deleted Zoe.").waitFor();
  });

  test("with its navigation at the top it works at every width", async () => {
    const page = await newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    await show(page, `${top}#/`);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Owners" }).click();
    await page.getByRole("heading", { level: 1, name: "Owners" }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 740 });
      expect({ width, wider: await widerThanPage(page) }).toEqual({ width, wider: [] });
    }
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Machines" }).click();
    await page.getByRole("heading", { level: 1, name: "Machines" }).waitFor();
  });

  test("nothing moves for those who want it still, and toasts leave all the same", async () => {
    const page = await newPage({ reducedMotion: "reduce" });
    await page.clock.install();
    await show(page, `${shops[0]?.url}#/owner/new`);
    await page.getByLabel(/^Name/).fill("Zoe");
    await page.getByRole("button", { name: "Create owner" }).click();
    const toast = page.getByText("Created Zoe.");
    await toast.waitFor();
    const moving = "document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 10).length";
    expect(await page.evaluate<number>(moving)).toBe(0);
    await page.clock.fastForward(6000);
    await toast.waitFor({ state: "detached" });
  });

  test("with 65 resources every one is in the navigation, and a few letters find one", async () => {
    const url = await serve("Many", generate(specOf(manyResources(65)), { theme: "system" }).code);
    const page = await newPage({ viewport: { width: 1280, height: 800 } });
    await show(page, `${url}#/`);
    const links = page.getByRole("navigation", { name: "Main" }).locator("a.navigation-link");
    const overview = 1;
    expect(await links.count()).toBe(65 + overview);
    expect(await page.locator("main").getByRole("link", { name: "Thing64s" }).count()).toBeGreaterThan(0);
    await links.last().scrollIntoViewIfNeeded();
    expect(await cutTexts(page)).toEqual([]);
    await page.getByRole("searchbox", { name: "Find a resource" }).fill("thing64");
    await expect.poll(() => links.allInnerTexts()).toEqual(["Thing64s"]);
    expect(await seriousFindings(page)).toEqual([]);
    await links.first().click();
    await page.getByRole("heading", { level: 1, name: "Thing64s" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("searchbox", { name: "Find a resource" }).fill("nothing at all");
    await page.getByText("Nothing matches “nothing at all”.").waitFor();
  });

  /** Links of the navigation whose text does not fit and cannot be read. */
  const cutTexts = (page: Page) =>
    page
      .locator(".navigation-label")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
});

function manyResources(count: number): string {
  const schema = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
  const answer = (of: object) => ({ "200": { description: "Done.", content: { "application/json": { schema: of } } } });
  const paths = Array.from({ length: count }, (_, index) => [
    [`/thing${index}s`, { get: { responses: answer({ type: "array", items: schema }) } }],
    [
      `/thing${index}s/{id}`,
      {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        get: { responses: answer(schema) },
      },
    ],
  ]);
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Many", version: "1.0" },
    paths: Object.fromEntries(paths.flat()),
  });
}
