import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hostileDescription } from "../../test/descriptions/malicious/hostile-description.ts";
import { hostileTexts } from "../../test/descriptions/malicious/hostile-texts.ts";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { arrive } from "../testing/interface-live.ts";
import { complaintsOf, interfaceServers } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { generate, generateProject } from "./generate.ts";

// What a description says is shown, and never done.

/** Another screen, and what it leads to. */
async function see(page: Page, screen: string): Promise<string[]> {
  await arrive(page, screen);
  return page.evaluate<string[]>(`[...document.querySelectorAll('main a[href^="#"]')].map((link) => link.hash)`);
}

/** A browser's advice for forms is none of them. */
const serious = (complaints: string[]) => complaints.filter((one) => !one.startsWith("console: [DOM]"));

describeInChromium("an interface for a hostile description", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();

  test("runs nothing of it and asks nobody, on any screen", async () => {
    const url = await serve(hostileTexts.join(" "), generate(specOf(hostileDescription(hostileTexts))).code);
    const page = await newPage();
    const complaints = complaintsOf(page, url);
    await page.goto(url);
    for (const list of hostileTexts.map((_, at) => `#/things${at}`)) {
      const links = await see(page, list);
      const record = links.find((link) => /^#\/things\d+\/(?!new$)[^/?]+$/.test(link));
      await see(page, record ?? expect.fail(`${list} shows no record`));
      await see(page, `${record}/edit`);
      await see(page, `${list}/new`);
      await page.getByRole("button", { name: /^Create / }).click();
    }
    expect(await page.evaluate("globalThis.pwned")).toBe(undefined);
    expect(serious(complaints)).toEqual([]);
  }, 180_000);

  test.each(hostileTexts.filter((text) => text.includes("@")))("is not built as its title says: %s", async (title) => {
    const url = await serve("Hostile", generate(specOf(hostileDescription([title]))).code);
    const page = await newPage();
    const complaints = complaintsOf(page, url);
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect([await page.evaluate("globalThis.pwned"), complaints]).toEqual([undefined, []]);
  });

  test("is a project whose page is as harmless", async () => {
    const { files } = generateProject(specOf(hostileDescription(hostileTexts)));
    const page = await newPage();
    const complaints = complaintsOf(page, "http://project.invalid/");
    await page.route("http://project.invalid/**", (route) =>
      route.request().url().endsWith("/")
        ? route.fulfill({ contentType: "text/html", body: files["index.html"] })
        : route.fulfill({ contentType: "text/javascript", body: "" }),
    );
    await page.goto("http://project.invalid/");
    expect(await page.title()).toContain("pwned");
    expect(await page.evaluate("[globalThis.pwned, document.body.children.length]")).toEqual([undefined, 2]);
    expect(complaints).toEqual([]);
  });
});
