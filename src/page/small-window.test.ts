import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { serveProcesses } from "../testing/serve-process.ts";

const { place, launch } = serveProcesses();

/** In the browser. What of a question is in sight, and which parts of the session scroll on their own. */
const seen = `(() => {
  const isSeen = (element) => {
    const { top, bottom, left } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && element.contains(document.elementFromPoint(left + 5, (top + bottom) / 2));
  };
  const ask = document.querySelector("form.ask");
  const { top, bottom } = ask.getBoundingClientRect();
  const scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight;
  return {
    heading: isSeen(ask.querySelector("h3")),
    pixels: Math.min(bottom, innerHeight) - Math.max(top, 0),
    nested: [...document.querySelectorAll("main *")].filter(scrolls).map((e) => e.id || e.className),
    tooWide: document.scrollingElement.scrollWidth > innerWidth,
  };
})()`;

interface Seen {
  heading: boolean;
  pixels: number;
  nested: string[];
  tooWide: boolean;
}

describeInChromium("in a small window", () => {
  const { newPage } = chromiumFixture();

  test.each([
    [1366, 620],
    [1280, 460],
    [780, 437],
    [360, 640],
    [640, 360],
  ])("of %i × %i a question is seen before it can be answered, and its buttons are reached", async (width, height) => {
    const where = place();
    const server = await launch(where).ready();
    const page = await newPage({ viewport: { width, height } });
    await page.goto(server.signInUrl);
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("list TypeScript files");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("TypeScript files: 1.").waitFor();
    const text = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
    await page.getByLabel("Prompt").fill(`write a file notes.txt with the text ${text}`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Write notes.txt?" }).waitFor();
    const { pixels, ...others } = (await page.evaluate(seen)) as Seen;
    expect(others).toEqual({ heading: true, nested: [], tooWide: false });
    expect(pixels).toBeGreaterThan(200);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("log").getByText("Created notes.txt").waitFor();
    expect(readFileSync(join(where.workspace, "notes.txt"), "utf8")).toContain("line 29");
  });

  test("there is room for the list, or for a session", async () => {
    const server = await launch(place()).ready();
    const { sessionId } = await server.result("session.create", { title: "The first" });
    const page = await newPage({ viewport: { width: 360, height: 640 } });
    await page.goto(server.signInUrl);
    await page.getByRole("link", { name: "The first" }).click();
    await page.getByRole("heading", { name: "The first" }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#${sessionId}`);
    expect(await page.getByRole("link", { name: "The first" }).isVisible()).toBe(false);
    await page.getByRole("link", { name: "Show all" }).click();
    await page.getByRole("link", { name: "The first" }).waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("sessions");
  });
});
