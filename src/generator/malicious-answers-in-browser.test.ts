import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { answersOfEveryShape, doors } from "../../test/descriptions/malicious/doors.ts";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { recordingApi } from "../testing/interface-api.ts";
import { arrive, connect } from "../testing/interface-live.ts";
import { interfaceServers } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { generate } from "./generate.ts";

// The API that one connects to is not to be trusted either: whatever it answers, the page lives and says what is the matter.

/** Which requests came at the host that only the description names, and with what. */
async function elsewhere(page: Page): Promise<Record<string, string>[]> {
  const asked: Record<string, string>[] = [];
  await page.route("https://elsewhere.invalid/**", (route) => {
    asked.push(route.request().headers());
    return route.fulfill({ status: 200, json: { open: 3 }, headers: { "Access-Control-Allow-Origin": "*" } });
  });
  return asked;
}

describeInChromium("an interface that is connected to an API", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  let url = "";
  let answer = "";
  let api: Awaited<ReturnType<typeof recordingApi>>;
  beforeAll(async () => {
    url = await serve("Doors", generate(specOf(JSON.stringify(doors))).code);
    api = await recordingApi(() => ({ text: answer }));
  });

  test("lives, whatever that answers", async () => {
    const page = await newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await elsewhere(page);
    await page.goto(`${url}#/`);
    await connect(page, api.url);
    for (const text of answersOfEveryShape) {
      const before = api.asked.length;
      answer = text;
      for (const screen of ["#/door", "#/door/1", "#/door/1/edit", "#/"]) {
        await arrive(page, screen);
        const said = await page.evaluate<string>("document.querySelector('main').textContent");
        expect(said.length, `${screen} of ${text.slice(0, 60)}`).toBeGreaterThan(10);
      }
      expect(api.asked.length).toBeGreaterThan(before + 2);
      expect([text.slice(0, 60), await page.evaluate("[globalThis.pwned, {}.pwned]"), errors]).toEqual([
        text.slice(0, 60),
        [undefined, undefined],
        [],
      ]);
    }
  });

  test("tells its credentials to that one alone, not to a host that only the description names", async () => {
    const page = await newPage();
    const asked = await elsewhere(page);
    answer = '[{ "id": "1", "name": "Front" }]';
    await page.goto(`${url}#/`);
    await connect(page, api.url, [["Token", "Access token", "s3cret"]]);
    await arrive(page, "#/door");
    await arrive(page, "#/");
    await page.getByText("Inventory").waitFor();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(api.asked.at(-1)?.headers.authorization).toBe("Bearer s3cret");
    expect(JSON.stringify(asked)).not.toContain("s3cret");
  });

  test("checks a pattern that would take years in no time", async () => {
    const page = await newPage();
    await elsewhere(page);
    answer = '{ "id": "1", "name": "Front" }';
    await page.goto(`${url}#/`);
    await connect(page, api.url);
    await arrive(page, "#/door/1/edit");
    await page.getByLabel(/^Code/).fill(`${"a".repeat(60)}!`);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page
      .getByText(/^Must have the form/)
      .first()
      .waitFor();
  });
});
