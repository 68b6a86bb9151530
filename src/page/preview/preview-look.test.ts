import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { ownDescriptions } from "../../testing/descriptions.ts";
import { seriousFindings } from "../../testing/interface-page.ts";
import { ask, frameOf, shownVersion } from "../../testing/preview-page.ts";
import { type PreviewWorld, previewWorlds } from "../../testing/preview-world.ts";

const museum = readFileSync(join(ownDescriptions, "museum.yaml"), "utf8");

/** By keys alone: the focus goes from one thing to the next until it is where it should be. */
async function reach(page: Page, name: string, key = "Tab"): Promise<void> {
  for (let times = 0; times < 60; times++) {
    await page.keyboard.press(key);
    const at = await page.evaluate<string>(
      `(({ activeElement: it }) => it.getAttribute("aria-label") ?? it.labels?.[0]?.textContent ?? it.textContent)(document)`,
    );
    if (at.trim().startsWith(name)) return;
  }
  throw new Error(`no key leads to ${name}`);
}

const focusedText = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

async function begun(world: PreviewWorld, page: Page): Promise<Page> {
  const { sessionId } = await world.sessions.begin(undefined, { name: "museum.yaml", text: museum });
  await world.open(page, sessionId);
  await frameOf(page).getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const widest = `Math.max(...[document.scrollingElement, ...document.querySelectorAll("dialog, .chat, .tools, .debug")].map((e) => e.scrollWidth - e.clientWidth))`;

describeInChromium("the page of the preview, to everyone's eyes and hands", () => {
  const { newPage } = chromiumFixture();
  const newWorld = previewWorlds();

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)("in %s, %i pixels wide, has nothing serious against it, whatever is open", async (colorScheme, width) => {
    const world = await newWorld(({ prompt, code }) => {
      if (prompt === "ask") return { question: "Which one?", options: ["This", "That"] };
      if (prompt === "fail") throw new Error("This cannot be done.");
      return { code, description: "Done.", assumptions: ["All of it"] };
    });
    const page = await begun(world, await newPage({ colorScheme, viewport: { width, height: 800 } }));
    const found: Record<string, string[]> = {};
    const look = async (what: string) => {
      found[what] = await seriousFindings(page);
      expect([what, await page.evaluate(widest)]).toEqual([what, 0]);
    };
    if (width < 900) await page.getByRole("button", { name: "Chat" }).click();
    for (const prompt of ["change", "ask", "fail"]) await ask(page, prompt);
    await page.getByText("This cannot be done.").waitFor();
    await look("the chat");
    await page.locator("#versions").click();
    await look("versions");
    await page.getByRole("button", { name: "Changes of version 2" }).click();
    await look("changes");
    await page.keyboard.press("Escape");
    await page.locator("#connection").click();
    await look("the connection");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Console" }).click();
    await look("the console");
    await page.getByRole("button", { name: "New", exact: true }).click();
    await look("the start");
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((what) => [what, []])));
  });

  test("needs no mouse", async () => {
    const world = await newWorld(({ code, prompt }) => ({ code, description: `Done: ${prompt}` }));
    const page = await world.open(await newPage());
    await page.getByRole("heading", { name: "An interface from the description of an API" }).waitFor();
    await reach(page, "Or paste it");
    await page.evaluate(`document.activeElement.value = ${JSON.stringify(museum)}`);
    await reach(page, "Generate");
    await page.keyboard.press("Enter");
    await frameOf(page).getByRole("heading", { level: 1 }).waitFor();
    await reach(page, "What should be different?");
    await page.keyboard.type("change it");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Done: change it").waitFor();
    await expect.poll(() => shownVersion(page)).toBe("2");
    await reach(page, "Version 2", "Shift+Tab");
    await page.keyboard.press("Enter");
    await reach(page, "Changes of version 2");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedText(page)).toBe("What version 2 changed");
    await reach(page, "All versions");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedText(page)).toBe("Versions");
    await reach(page, "Revert to version 1");
    await page.keyboard.press("Enter");
    await page.getByText("The interface becomes what it was in version 1").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Version 3", exact: true }).waitFor();
    await reach(page, "Sample data", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Connect to the API" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("connection");
    await reach(page, "Close ", "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("new-tab");
  });

  test("in a small window there is room for the chat, or for the interface", async () => {
    const world = await newWorld();
    const page = await begun(world, await newPage({ viewport: { width: 390, height: 780 } }));
    expect(await page.getByRole("log").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Chat" }).click();
    await page.getByRole("log").waitFor();
    expect(await page.locator("iframe.frame").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Interface", exact: true }).click();
    await page.locator("iframe.frame").filter({ visible: true }).waitFor();
    for (const id of ["update", "width", "theme"]) expect(await page.locator(`#${id}`).isVisible()).toBe(true);
    await page.getByRole("button", { name: "New", exact: true }).click();
    const start = page.locator("#start");
    expect(await start.evaluate((box) => [box.scrollWidth - box.clientWidth, box.scrollTop])).toEqual([0, 0]);
    expect((await start.getByRole("heading").first().boundingBox())?.y).toBeGreaterThan(50);
  });
});
