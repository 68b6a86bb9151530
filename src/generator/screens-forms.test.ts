import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { recordingApi } from "../testing/interface-api.ts";
import { untilDrawn } from "../testing/interface-axe.ts";
import { add, field, group } from "../testing/interface-form.ts";
import { focused, hasFocus } from "../testing/interface-keyboard.ts";
import { connect, openConnect } from "../testing/interface-live.ts";
import { interfaceServers } from "../testing/interface-page.ts";
import { openSimulated, simulatingInterface, specOf } from "../testing/interface-simulated.ts";
import { guardedSpecimen, specimen } from "../testing/interface-specimen.ts";
import { generate } from "./generate.ts";

// Forms, pickers and filters under the hands of a person: what has the focus, where things are, what is kept.

describeInChromium("in a generated interface", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  let url = "";
  beforeAll(async () => {
    url = await serve("Workshop", simulatingInterface(specOf(specimen)));
  });

  async function open(screen: string): Promise<Page> {
    const page = await newPage({ viewport: { width: 1280, height: 800 } });
    await openSimulated(page, url, screen, {});
    return page;
  }

  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? expect.fail("it is not there");

  test("a folded field stays where it is while it is filled in, and while it is mended", async () => {
    const page = await open("#/machine/new");
    await page.getByText(/^More fields/).click();
    const contact = field(page, "Contact");
    await contact.click();
    await page.keyboard.type("ada");
    expect([await contact.inputValue(), await hasFocus(page, contact)]).toEqual(["ada", true]);
    await page.keyboard.press("Tab");
    await expect.poll(() => contact.getAttribute("aria-invalid")).toBe("true");
    await contact.click();
    await page.keyboard.press("End");
    await page.keyboard.type("@example.com");
    await expect.poll(() => contact.getAttribute("aria-invalid")).toBe(null);
    expect([await contact.inputValue(), await hasFocus(page, contact)]).toEqual(["ada@example.com", true]);
  });

  test("a button does not move away under the pointer when a field is left for it", async () => {
    const page = await open("#/owner/new");
    await field(page, "Name").click();
    const create = page.getByRole("button", { name: "Create owner" });
    const { x, y } = await boxOf(create);
    await page.mouse.move(x + 20, y + 4);
    await page.mouse.down();
    await page.evaluate(untilDrawn);
    expect(Math.abs((await boxOf(create)).y - y)).toBeLessThan(2); // a pressed button gives way a little
    await page.mouse.up();
    await page.getByRole("alert").getByText("Name").waitFor();
  });

  test("the focus goes into a new entry, and from a removed one to the next or to the button that adds", async () => {
    const page = await open("#/machine/new");
    await page.getByText(/^More fields/).click();
    const tags = group(page, "Tags"); // at most two
    await add(tags).click();
    await page.keyboard.type("heavy");
    await add(tags).click();
    await page.keyboard.type("old");
    await tags.getByRole("button", { name: "Remove Tag 1" }).click();
    expect(await tags.getByLabel("Tag 1", { exact: true }).inputValue()).toBe("old");
    await expect.poll(() => focused(page)).toBe("button Remove Tag 1");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("button Add tag");
    const ratings = group(page, "Ratings");
    await add(ratings).click();
    await expect.poll(() => focused(page)).toBe("input Ratings 1: name");
    await ratings.getByRole("button", { name: "Remove Ratings 1" }).click();
    await expect.poll(() => focused(page)).toBe("button Add entry");
  });

  test("a picker stays below its input when the page scrolls, and what is chosen is kept", async () => {
    const page = await open("#/machine/new");
    await page.getByText(/^More fields/).click();
    const owner = field(page, "Owner ID");
    await owner.click();
    const list = page.getByRole("listbox", { name: "Owners" });
    await list.getByRole("option").first().waitFor();
    const before = await boxOf(owner);
    const inForm = await boxOf(page.getByRole("heading", { level: 1 }));
    await page.mouse.move(inForm.x, before.y - 200);
    await page.mouse.wheel(0, -150);
    await expect.poll(async () => (await boxOf(owner)).y).toBeGreaterThan(before.y + 100);
    const gap = async () => {
      const [input, options] = [await boxOf(owner), await boxOf(page.locator(".picker-list"))];
      return Math.min(Math.abs(options.y - (input.y + input.height)), Math.abs(options.y + options.height - input.y));
    };
    await expect.poll(gap).toBeLessThan(8);
    await list.getByRole("option").first().click();
    expect(await owner.inputValue()).toMatch(/^.+ \(.+\)$/);
  });

  test("a filter that names another record is chosen by that record's name, and told by it", async () => {
    const page = await open("#/owner");
    const name = await page.locator("tbody a").first().innerText();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Machines" }).click();
    await page.locator("tbody a").first().waitFor();
    const filter = page.getByRole("search").getByRole("combobox", { name: "Owner ID" });
    await filter.fill(name);
    await page.getByRole("option", { name }).first().click();
    await expect.poll(() => page.url()).toMatch(/ownerId=/);
    await page.getByRole("button", { name: `Remove filter Owner ID ${name}` }).click();
    await expect.poll(() => page.url()).not.toMatch(/ownerId=/);
    expect(await filter.inputValue()).toBe("");
  });

  test("a search that finds nothing says what was looked for, and leads back", async () => {
    const page = await open("#/owner");
    const rows = page.locator("tbody tr");
    await rows.first().waitFor();
    const before = await rows.count();
    await page.getByRole("searchbox", { name: "Search owners" }).fill("zzz");
    await page.getByRole("heading", { name: "No owners match “zzz”" }).waitFor();
    expect(await page.getByRole("table").count()).toBe(0);
    await page.getByRole("button", { name: "Clear search" }).click();
    await expect.poll(() => rows.count()).toBe(before);
    expect(await page.getByRole("searchbox", { name: "Search owners" }).inputValue()).toBe("");
  });

  test("a key that would travel in a cookie cannot be entered, and both the form and a refusal say why", async () => {
    const api = await recordingApi(() => ({ status: 401, json: {} }));
    const page = await newPage({ viewport: { width: 1280, height: 900 } });
    await page.context().addCookies([{ name: "session", value: "from-elsewhere", url: api.url }]);
    await page.goto(`${await serve("Doors", generate(specOf(guardedSpecimen)).code)}#/cookie-door`);
    const reason = "a browser lets no page set cookies for another address";
    await connect(page, api.url);
    await page.getByRole("alert").getByText(reason).waitFor();
    expect(api.asked.at(-1)?.headers.cookie).toBe(undefined);
    const dialog = await openConnect(page);
    const scheme = dialog.getByRole("group").filter({ hasText: reason });
    expect(await scheme.locator("input").count()).toBe(1);
    await scheme.getByRole("checkbox", { name: /^Send the cookies that this browser has/ }).check();
    await dialog.getByRole("button", { name: "Reconnect" }).click();
    await expect.poll(() => api.asked.at(-1)?.headers.cookie).toBe("session=from-elsewhere");
    await page.getByRole("alert").getByText(reason).waitFor();
  });
});
