import type { Locator, Page } from "playwright-core";

// A form as a person finds their way in it: by labels and headings.

/** The input with this label, required or not. */
export const field = (inside: Page | Locator, label: string) =>
  inside
    .locator("form.form")
    .getByLabel(new RegExp(`^${label}(?: ?\\*.*)?$`))
    .first();

/** What belongs together under a heading: the parts of an object, a list, a map, the kinds of a union. */
export const group = (page: Page, name: string) => page.getByRole("group", { name: new RegExp(`^${name}`) }).first();

/** One more, of a list or a map. */
export const add = (inside: Locator) => inside.getByRole("button", { name: /^Add / }).last();

export async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value);
}

/** Shows the fields that are folded away. */
export async function unfold(page: Page): Promise<void> {
  await page.locator("form.form").waitFor();
  await page.evaluate(`for (const all of document.querySelectorAll("details.more-fields")) all.open = true`);
}

/** What is wrong with a form as a whole, line by line. */
export const summaryLines = (page: Page) => page.getByRole("alert").getByRole("listitem").allInnerTexts();

/** What is read out beside the label of an input. */
export async function describedBy(page: Page, input: Locator): Promise<string> {
  const ids = ((await input.getAttribute("aria-describedby")) ?? "").split(" ").filter(Boolean);
  return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))).join(" ");
}
