import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { descriptions } from "../testing/descriptions.ts";
import { seeIn } from "../testing/interface-axe.ts";
import { complaintsOf, interfaceServers, seriousFindings } from "../testing/interface-page.ts";
import { generate } from "./generate.ts";

// Generated interfaces in a real browser, on sample data, as a person uses them.

interface Visit {
  file: string;
  /** The resource that is looked at, as the navigation calls it. */
  plural: string;
  singular: string;
  /** Set one filter, and see that every row is of that kind. */
  filter?: { label: string; option: string; cell: string };
  pages?: boolean;
  /** What has to be filled in for a new record, by label; then what is changed. */
  create?: { fields: Record<string, string>; title: string };
  edit?: { label: string; value: string };
  remove?: boolean;
}

const own: Visit[] = [
  {
    file: "petstore.yaml",
    plural: "Pets",
    singular: "pet",
    filter: { label: "Status", option: "Sold", cell: "Sold" },
    create: { fields: { Name: "Fido" }, title: "Fido" },
    edit: { label: "Name", value: "Rex" },
    remove: true,
  },
  {
    file: "museum.yaml",
    plural: "Special events",
    singular: "special event",
    pages: true,
    create: {
      fields: { Name: "Night tour", Location: "Hall 2", "Event description": "By torch.", Price: "12" },
      title: "Night tour",
    },
    edit: { label: "Location", value: "Hall 3" },
    remove: true,
  },
  { file: "swapi.graphql", plural: "Films", singular: "film", pages: true },
];
const published: Visit[] = [
  {
    file: "docker_engine.yaml",
    plural: "Volumes",
    singular: "volume",
    create: { fields: { Name: "backups" }, title: "backups" },
    remove: true,
  },
  {
    file: "octokit_api.github.com.json",
    plural: "Milestones",
    singular: "milestone",
    filter: { label: "State", option: "Closed", cell: "Closed" },
    pages: true,
    create: { fields: { Title: "Version 2" }, title: "Version 2" },
    edit: { label: "Title", value: "Version 3" },
    remove: true,
  },
];
const there = descriptions(
  own.map(({ file }) => file),
  ["swagger2/docker_engine.yaml", "openapi3/octokit_api.github.com.json"],
);

/** Where to put a picture of each screen, to look at. */
const pictures = process.env.DRAGOMAN_PICTURES;

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

describeInChromium("generated interfaces", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();

  describe.each(there)("$name", ({ name, spec }) => {
    const visit = [...own, ...published].find(({ file }) => file === name);
    if (!visit) throw new Error(`nobody says what to do with ${name}`);
    const served = once(() => serve(name, generate(spec(), { theme: "system" }).code));
    // Colours are the same in all of them; to look at large ones takes long.
    const colorSchemes = published.includes(visit) ? (["light"] as const) : (["dark", "light"] as const);
    const short = name.replace(/\W.*/, "");

    test("is listed, filtered, paged and changed, and good to read in light and in dark", async () => {
      const url = await served();
      // Without motion: colours would be measured while they change.
      const page = await newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
      const complaints = complaintsOf(page, url);
      const look = async (screen: string) => {
        for (const colorScheme of colorSchemes) {
          await seeIn(page, colorScheme);
          await picture(page, `${short}-${screen}-${colorScheme}`);
          const seen = { screen, colorScheme };
          expect({ ...seen, findings: await seriousFindings(page) }).toEqual({ ...seen, findings: [] });
        }
      };
      await page.goto(url);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await look("overview");
      await openList(page, visit.plural);
      await look("list");
      if (visit.filter) await narrow(page, visit.filter);
      if (visit.pages) await turnPages(page);
      if (visit.create) await createOne(page, visit, visit.create, look);
      else await openFirst(page);
      await look("record");
      if (visit.edit) await editIt(page, visit.edit, look);
      if (visit.remove) await removeIt(page, visit);
      expect(complaints).toEqual([]);
    });
  });
});

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const rows = (page: Page) => page.locator("table.table-records tbody tr");
const firstCells = (page: Page) => page.locator("table.table-records tbody tr td:first-child").allInnerTexts();

/** By the keyboard where there are too many to see. */
async function openList(page: Page, plural: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(plural);
  await page
    .getByRole("option", { name: plural, exact: true })
    .or(page.getByRole("option", { name: plural }))
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: plural }).waitFor();
  await rows(page).first().waitFor();
}

async function narrow(page: Page, { label, option, cell }: NonNullable<Visit["filter"]>): Promise<void> {
  const before = await rows(page).count();
  await page.getByLabel(label, { exact: true }).selectOption({ label: option });
  await expect.poll(() => page.url()).toContain("=");
  await expect.poll(async () => (await rows(page).allInnerTexts()).every((text) => text.includes(cell))).toBe(true);
  expect(await rows(page).count()).toBeGreaterThan(0);
  await page.getByRole("button", { name: /clear/i }).first().click();
  await expect.poll(() => rows(page).count()).toBe(before);
}

async function turnPages(page: Page): Promise<void> {
  const first = await firstCells(page);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => firstCells(page)).not.toEqual(first);
  await page.getByRole("button", { name: "Previous page" }).click();
  await expect.poll(() => firstCells(page)).toEqual(first);
}

async function openFirst(page: Page): Promise<void> {
  await rows(page).first().getByRole("link").first().click();
  await page.getByText("Raw record").waitFor();
}

type Look = (screen: string) => Promise<void>;

async function createOne(
  page: Page,
  { singular }: Visit,
  { fields, title }: NonNullable<Visit["create"]>,
  look: Look,
): Promise<void> {
  await page.getByRole("link", { name: `New ${singular}` }).click();
  await page.getByRole("heading", { level: 1, name: `New ${singular}` }).waitFor();
  await look("form");
  for (const [label, value] of Object.entries(fields)) await fill(page, label, value);
  await page.getByRole("button", { name: `Create ${singular}` }).click();
  await page.getByText(`Created ${title}.`).waitFor();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}

async function fill(page: Page, label: string, value: string): Promise<void> {
  await page
    .getByLabel(new RegExp(`^${label}( \\*| \\(required\\)|\\*|$)`))
    .first()
    .fill(value);
}

async function editIt(page: Page, { label, value }: NonNullable<Visit["edit"]>, look: Look): Promise<void> {
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: /^Edit/ }).waitFor();
  await look("edit");
  await fill(page, label, value);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText(/^Saved /).waitFor();
  await page.getByText(value).first().waitFor();
}

async function removeIt(page: Page, { plural }: Visit): Promise<void> {
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText(/^Deleted /).waitFor();
  await page.getByRole("heading", { level: 1, name: plural }).waitFor();
}
