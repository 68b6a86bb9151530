import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { ask, frameOf, shownVersion } from "../../testing/preview-page.ts";
import { heldCustomize, showing } from "../../testing/preview-studio.ts";
import { type PreviewWorld, previewWorlds } from "../../testing/preview-world.ts";

// What the page does when something does not go as it should: with the server, the connection to it, or the interface.

const throwing = (message: string) => `export default function Shown() { throw new Error("${message}"); }`;
/** It is alive, and never there to be seen. */
const endless = `import { use } from "react";
  const never = new Promise(() => {});
  export default function Shown() { use(never); }`;

const heading = (page: Page, name: string) => frameOf(page).getByRole("heading", { name, exact: true }).waitFor();
const loads = (world: PreviewWorld) => world.asked().filter((one) => one === "GET /preview/frame").length;
const framesOf = (page: Page) => page.locator("iframe.frame").count();

describeInChromium("the page of the preview, in trouble", () => {
  const { newPage } = chromiumFixture();
  const newWorld = previewWorlds();

  test("says what an interface fails with, keeps the version before it, and tries it again", async () => {
    const world = await newWorld(({ prompt }) => ({
      code: prompt === "load" ? `throw new Error("not even loaded");\n${showing("x")}` : throwing(`not ${prompt}`),
      description: "Done.",
    }));
    const sessionId = world.sessions.add(throwing("no beginning"));
    const page = await world.open(await newPage(), sessionId);
    await page.locator(".overlay").getByText("no beginning").waitFor();
    const made = { kind: "customization" as const, prompt: "x", description: "y", code: showing("second") };
    world.sessions.addVersion(sessionId, made);
    await page.reload();
    await heading(page, "second");
    await ask(page, "shown");
    await page.getByText("Version 3 cannot be shown: not shown").waitFor();
    await page.getByRole("button", { name: "Version 2 of 3" }).waitFor();
    const before = loads(world);
    await page.getByRole("button", { name: "Load it again" }).click();
    await expect.poll(() => loads(world)).toBe(before + 1);
    await page.getByText("Version 3 cannot be shown: not shown").waitFor();
    await ask(page, "load");
    await page.getByText("Version 4 cannot be shown: not even loaded").waitFor();
    expect([await shownVersion(page), await framesOf(page)]).toEqual(["2", 1]);
  });

  test("stops what does not start, but not what nobody looks at", async () => {
    const world = await newWorld();
    const [seen, unseen] = [world.sessions.add(endless), world.sessions.add(endless)];
    const page = await newPage();
    await page.clock.install();
    await world.open(page, `${seen}&tabs=${seen},${unseen}`);
    await expect.poll(() => framesOf(page)).toBe(2);
    await expect.poll(() => loads(world)).toBe(2);
    for (let seconds = 0; seconds < 18; seconds += 2) await page.clock.runFor(2000); // it says that it is alive all the time
    await page.getByText("The interface does not start.").waitFor();
    expect(await framesOf(page)).toBe(1);
  });

  test("is not signed out by a server that is away, and sends what waits when it is back", async () => {
    const { customize, asked, next } = heldCustomize();
    const world = await newWorld(customize);
    const page = await world.open(await newPage(), world.sessions.add(showing("first")));
    await heading(page, "first");
    for (const prompt of ["one", "two"]) await ask(page, prompt);
    await expect.poll(() => asked.length).toBe(1);
    const tries: string[] = [];
    page.on("requestfailed", (request) => tries.push(new URL(request.url()).pathname));
    await page.context().setOffline(true);
    world.cut();
    await page.getByText("The connection to the server was lost. What it had begun goes on there.").waitFor();
    await expect.poll(() => tries, { timeout: 10_000 }).toContain("/auth/me");
    await page.getByRole("log").getByText("Waiting").waitFor();
    expect(await page.getByRole("heading", { name: "Sign in" }).isVisible()).toBe(false);
    await page.context().setOffline(false);
    await next();
    await expect.poll(() => asked.map(({ prompt }) => prompt)).toEqual(["one", "two"]);
    await next();
    await page.getByRole("log").getByText("Done: two").waitFor();
    expect(await page.locator("#trouble").textContent()).toBe("");
  });

  test("shows in its console what was chosen, whatever comes late, and says what cannot be had", async () => {
    const world = await newWorld();
    const page = await world.open(await newPage(), world.sessions.add(showing("x")));
    await heading(page, "x");
    const late: (() => void)[] = [];
    await page.route("**/preview/requests/*", (route) => late.push(() => void route.continue()));
    await page.getByRole("button", { name: "Console" }).click();
    await expect.poll(() => late.length).toBe(1);
    await page.getByRole("button", { name: "Messages" }).click();
    const answered = page.waitForResponse("**/preview/requests/*");
    late[0]?.();
    await (await answered).finished();
    await page.evaluate("new Promise(requestAnimationFrame)");
    expect(await page.locator("#debug-none").textContent()).toBe("The interface has written nothing.");
    await page.unroute("**/preview/requests/*");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByText("The requests cannot be had: The server cannot be reached.").waitFor();
  });

  test("comes back when the connection was lost, and shows what was made meanwhile", async () => {
    const { customize, asked } = heldCustomize();
    const world = await newWorld(customize);
    const sessionId = world.sessions.add(showing("first"));
    const page = await world.open(await newPage(), sessionId);
    await frameOf(page).getByRole("heading", { name: "first" }).waitFor();
    await ask(page, "change it");
    await expect.poll(() => asked.length).toBe(1);
    world.sessions.addVersion(sessionId, {
      kind: "customization",
      prompt: "x",
      description: "y",
      code: showing("later"),
    });
    world.cut();
    await page.getByText("The connection to the server was lost. What it had begun goes on there.").waitFor();
    await frameOf(page).getByRole("heading", { name: "later" }).waitFor();
    expect(await page.locator("#trouble").textContent()).toBe("");
  });

  test("says that one is signed out, and is for whoever has signed in elsewhere", async () => {
    const world = await newWorld();
    const page = await newPage();
    await page.goto(`${world.http.url}/preview#${world.sessions.add(showing("mine"))}`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const other = await page.context().newPage();
    await world.open(other);
    await page.bringToFront();
    await frameOf(page).getByRole("heading", { name: "mine" }).waitFor();
    expect(await page.getByLabel("What should be different?").isVisible()).toBe(true);
    await world.open(other, undefined, await world.http.token("looker", "observe"));
    await expect.poll(() => page.getByLabel("What should be different?").isVisible()).toBe(false); // it is for somebody else now
    await frameOf(page).getByRole("heading", { name: "mine" }).waitFor();
  });
});
