import type { FrameLocator, Page } from "playwright-core";
import type { ServeProcess } from "./serve-process.ts";

/** Signed in, at the place where a description is given. */
export async function begun(server: Pick<ServeProcess, "signInUrl">, page: Page): Promise<Page> {
  await page.goto(`${server.signInUrl}&to=preview`);
  await page.getByRole("heading", { name: "An interface from the description of an API" }).waitFor();
  return page;
}

/** The frame with the interface of that description, when it is there to be seen. */
export async function generated(page: Page, text: string): Promise<FrameLocator> {
  await page.getByLabel("Or paste it").fill(text);
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByRole("button", { name: "Version 1", exact: true }).waitFor();
  const frame = frameOf(page);
  await frame.getByRole("heading", { level: 1 }).waitFor();
  return frame;
}

export const frameOf = (page: Page) => page.locator("iframe.frame").filter({ visible: true }).first().contentFrame();

/** Says what should be different. */
export async function ask(page: Page, prompt: string): Promise<void> {
  const field = page.getByLabel("What should be different?").filter({ visible: true });
  await field.fill(prompt);
  await field.press("Enter");
}

/** The number of the version that is seen. */
export const shownVersion = (page: Page) =>
  page.locator("iframe.frame").filter({ visible: true }).first().getAttribute("data-version");
