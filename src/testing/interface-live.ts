import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Opens the dialog that connects to an API, from the button that says what is connected now. */
export async function openConnect(page: Page): Promise<Locator> {
  await page.getByTitle("Connection").filter({ visible: true }).click();
  const dialog = page.getByRole("dialog", { name: "Connect to the API" });
  await dialog.waitFor();
  return dialog;
}

/** Works with the API itself from now on. `secrets` are filled in by the label of a scheme and of its input. */
export async function connect(page: Page, server: string, secrets: [string, string, string][] = []): Promise<void> {
  const dialog = await openConnect(page);
  await dialog.getByLabel("Server").fill(server);
  for (const [scheme, label, value] of secrets) {
    await dialog.getByRole("group", { name: scheme, exact: true }).getByLabel(label, { exact: true }).fill(value);
  }
  // Either way will do.
  if (secrets.length === 0) await dialog.getByLabel("Server").press("Enter");
  else await dialog.getByRole("button", { name: /^(Connect|Reconnect)$/ }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Another screen without loading the page anew, which would end the connection. */
export async function visit(page: Page, screen: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(screen)}`);
}

const isThere = `document.querySelector("main h1") !== null && !document.querySelector('main .skeleton, main [aria-busy]')`;

/** The same, when all that it asked for has come. */
export async function arrive(page: Page, screen: string): Promise<void> {
  await visit(page, screen);
  const condition = `location.hash === ${JSON.stringify(screen)} && ${isThere}`;
  await expect.poll(() => page.evaluate<boolean>(condition), { timeout: 20_000 }).toBe(true);
}
