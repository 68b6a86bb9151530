import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readCode } from "../checking/read-code.ts";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { canaries } from "../testing/preview-canary.ts";
import { type PreviewWorld, previewWorlds } from "../testing/preview-world.ts";

// A generated interface may be anything. In its frame it reaches nothing: not the page around it, no storage, no server, no network.

const attacks = readFileSync(new URL("../testing/preview-attacks.js", import.meta.url), "utf8");

const withAddresses = (code: string, canary: string, own: string) =>
  code.replaceAll("%CANARY%", canary).replaceAll("%OWN%", own);

/** What the interface wrote, as the page's console shows it. */
async function written(page: Page): Promise<string[]> {
  await page.getByRole("button", { name: "Console" }).click();
  await page.getByRole("button", { name: "Messages" }).click();
  const items = page.locator("#debug-list .text");
  await expect.poll(() => items.allTextContents(), { timeout: 60_000 }).toContain("attack over");
  return (await items.allTextContents()).reverse();
}

const framesIn = (asked: string[]) => asked.filter((one) => one === "GET /preview/frame").length;

const harmless = `export default function Fine() { return <h1>Fine</h1>; }`;

async function shown(world: PreviewWorld, page: Page, code: string): Promise<Page> {
  return world.open(page, world.sessions.add(code));
}

/** It gets hold of the window as the attacks do, and begins when someone clicks: with that a page may do more than without. */
const withWindow = (code: string) => `
let held;
setTimeout(function () { held = this; });
export default function Attack() { return <button onClick={() => setTimeout(() => attack(held))}>Begin</button>; }
function attack(w) { ${code} }`;

const beginning = (page: Page) => page.frameLocator("iframe.frame").getByRole("button", { name: "Begin" });

const exits: [by: string, attack: string][] = [
  ["its address", "w.location.href = CANARY;"],
  ["a replaced address", "w.location.replace(CANARY + '/x');"],
  [
    "a refresh",
    "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\"0; url=' + CANARY + '\">');",
  ],
  [
    "a link",
    "const a = document.createElement('a'); a.href = CANARY; document.body.append(a); a.dispatchEvent(new MouseEvent('click', { bubbles: false }));",
  ],
  [
    "a link to another frame of its own",
    "document.body.innerHTML = '<iframe name=x></iframe><a href=' + CANARY + ' target=x></a>'; document.querySelector('a').click(); w.location = CANARY;",
  ],
  [
    "a download",
    "const a = document.createElement('a'); a.href = CANARY; a.download = 'x'; document.body.append(a); a.dispatchEvent(new MouseEvent('click', { bubbles: false }));",
  ],
  ["its own server", "w.location.href = OWN + '/preview/connections';"],
  ["the page that frames it", "w.location.href = OWN + '/preview';"],
  ["a script as address", "w.location.href = 'javascript:fetch(\"' + CANARY + '\")'; w.location.href = OWN;"],
  ["data as address", "w.location.href = 'data:text/html,<script>fetch(\"' + CANARY + '\")</script>';"],
];

describeInChromium("a hostile interface", () => {
  const { newPage } = chromiumFixture({ whole: true });
  const newWorld = previewWorlds();
  const newCanary = canaries();

  test("reaches nothing, whatever it tries", async () => {
    const [world, canary] = [await newWorld(), await newCanary()];
    const code = withAddresses(attacks, canary.url, world.http.url);
    expect(readCode(code).refused).toEqual([]); // the frame is the wall, not the reading of code
    const other = world.sessions.add(harmless);
    const sessionId = world.sessions.add(code);
    const page = await newPage();
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await world.open(page, `${sessionId}&tabs=${other},${sessionId}`);
    await expect.poll(() => framesIn(world.asked())).toBe(2);
    const before = world.asked();
    const told = await written(page);
    const outcomes = told.filter((line) => /^attack .+:/.test(line));
    expect(outcomes.filter((line) => !/: (nothing|refused \(\w+\))$/.test(line))).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(60);
    expect(canary.touched).toEqual([]);
    const since = world.asked().slice(before.length);
    expect(since.filter((one) => one !== "GET /preview/requests/:sessionId")).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(page.context().pages().length).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/preview");
  }, 180_000);

  test("that tries to leave gets nowhere, and the page says that it is gone", async () => {
    const [world, canary, page] = [await newWorld(), await newCanary(), await newPage()];
    const addresses = `const CANARY = "${canary.url}"; const OWN = "${world.http.url}";`;
    for (const [by, attack] of exits) {
      await shown(world, page, withWindow(`${addresses} ${attack}`));
      await beginning(page).waitFor();
      const before = world.asked();
      await beginning(page).click();
      await page.getByText("The interface tried to leave its frame, so it was stopped.").waitFor();
      expect({ by, touched: canary.touched, asked: world.asked().slice(before.length) }).toEqual({
        by,
        touched: [],
        asked: [],
      });
      await page.getByRole("button", { name: "Load it again" }).click();
      await beginning(page).waitFor();
      expect(page.frames().every((frame) => !frame.url().startsWith(canary.url))).toBe(true);
    }
  }, 120_000);

  test("that sends without end is cut off, and the page goes on", async () => {
    const world = await newWorld();
    const flood =
      "const go = () => { for (let at = 0; at < 500; at++) console.log('x'.repeat(3000)); setTimeout(go); }; go();";
    const page = await shown(world, await newPage(), withWindow(flood));
    await beginning(page).click();
    await page.getByText("The interface sent too many messages, so it was stopped.").waitFor();
    expect(await page.locator("iframe.frame").count()).toBe(0);
    await page.getByRole("button", { name: "Version 1", exact: true }).click();
    await page.getByRole("dialog", { name: "Versions" }).waitFor();
  });

  test.each([
    [
      "numbers to its window",
      "const go = () => { for (let at = 0; at < 500; at++) w.parent.postMessage(at, '*'); setTimeout(go); }; go();",
    ],
    [
      "what looks like a request",
      "for (let at = 0; at < 90; at++) w.parent.postMessage({ source: 'dragoman', version: 1, id: '1', type: 'NETWORK_REQUEST', payload: {} }, '*');",
    ],
  ])("that sends %s is cut off", async (_, attack) => {
    const world = await newWorld();
    const page = await shown(world, await newPage(), withWindow(attack));
    await beginning(page).click();
    await page.getByText("The interface sent too many messages, so it was stopped.").waitFor();
  });

  test("that asks without end to be connected opens one dialog, and none where it is not looked at", async () => {
    const world = await newWorld();
    const code = `export default function Asking({ host }) { setInterval(host.openConnection, 20); return <h1>Asking</h1>; }`;
    const [fine, asking] = [world.sessions.add(harmless), world.sessions.add(code, { title: "Asking" })];
    const page = await world.open(await newPage(), `${fine}&tabs=${fine},${asking}`);
    await page.frameLocator(`iframe[src*="${asking}"]`).locator("h1").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Version 1", exact: true }).click();
    await page.getByRole("dialog", { name: "Versions" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Asking", exact: true }).click();
    await page.getByLabel("Server").fill("https://elsewhere.invalid"); // with many more asked for meanwhile
    expect(await page.locator("dialog").count()).toBe(1);
  });

  test("that loops for ever is told of, and does not keep the page from working", async () => {
    const world = await newWorld();
    const page = await shown(world, await newPage(), withWindow("for (;;) {}"));
    await beginning(page).click();
    await page.getByText("The interface does not answer any more.").waitFor();
    await page.getByRole("button", { name: "Version 1", exact: true }).click();
    await page.getByRole("dialog", { name: "Versions" }).waitFor();
  });

  test("that loops before it begins does not, either", async () => {
    const world = await newWorld();
    const page = await shown(world, await newPage(), `for (;;) {}\n${harmless}`);
    await page.getByText("The interface does not start.").waitFor({ timeout: 40_000 });
    expect(await page.locator("iframe.frame").count()).toBe(0);
  });

  test("is not run at all where its code says what it is", async () => {
    const world = await newWorld();
    const page = await shown(world, await newPage(), `${harmless}\nparent.focus();`);
    const words =
      "This code is not run, since it uses what an interface has no business with: window.parent (line 2, column 1).";
    await page.getByText(words).first().waitFor();
  });

  test("takes no file of this machine with it", async () => {
    const world = await newWorld();
    for (const path of ["/etc/hostname", "../package.json", "./node_modules/react/package.json", "node:fs"]) {
      const sessionId = world.sessions.add(`export { default } from ${JSON.stringify(path)};`);
      const answer = await world.http.askAs(world.http.admin, { path: `/preview/frame?session=${sessionId}` });
      expect(answer.body).toContain("This code is not run");
    }
  });
});
