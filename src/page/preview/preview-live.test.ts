import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { previewApis } from "../../testing/preview-api.ts";
import { ask, frameOf, shownVersion } from "../../testing/preview-page.ts";
import { showing } from "../../testing/preview-studio.ts";
import { previewWorlds } from "../../testing/preview-world.ts";

// Whose data an interface gets to see, and by whose word.

const key = { id: "key", label: "Key", kind: "apiKey" as const, in: "header" as const, name: "X-Key" };
const basic = { id: "basic", label: "Basic", kind: "basic" as const };

/** An interface that says what it works with, and asks the API when it is told to, whatever it was told of. */
const asking = (name: string, url: string) => `import { useEffect, useState } from "react";
  export default function Shown({ host, transport }) {
    const [mode, setMode] = useState(host.connection().mode);
    const [said, setSaid] = useState("");
    useEffect(() => host.subscribe(() => setMode(host.connection().mode)), [host]);
    const ask = () => transport({ method: "GET", url: "${url}", headers: {}, auth: [["key"]] }, new AbortController().signal)
      .then(({ status }) => setSaid("Answered " + status), ({ message }) => setSaid(message));
    return <><h1>{"${name} " + mode}</h1><button onClick={ask}>Ask</button><p>{said}</p></>;
  }`;

const heading = (page: Page, name: string) => frameOf(page).getByRole("heading", { name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function askApi(page: Page, answer: string): Promise<void> {
  await frameOf(page).getByRole("button", { name: "Ask" }).click();
  await frameOf(page).getByText(answer).waitFor();
}

describeInChromium("live data", () => {
  const { newPage } = chromiumFixture();
  const newWorld = previewWorlds();
  const newApi = previewApis();

  test("are not asked for by what somebody else made, until that is wanted", async () => {
    const api = await newApi();
    const world = await newWorld(({ prompt }) => ({ code: asking(prompt, api.url), description: `Done: ${prompt}` }));
    const [ada, bob] = await Promise.all(["ada", "bob"].map((name) => world.http.token(name, "prompt")));
    const sessionId = world.sessions.add(asking("first", api.url), { servers: [api.url], auth: [key] });
    const [adas, bobs] = await Promise.all([
      world.open(await newPage(), sessionId, ada),
      world.open(await newPage(), sessionId, bob),
    ]);
    await heading(adas, "first mock");
    await askApi(adas, "The interface shows sample data: nobody is asked.");
    await adas.locator("#connection").click();
    await adas.getByLabel("Key").last().fill("of ada");
    await press(adas, "Connect");
    await heading(adas, "first live");
    await askApi(adas, "Answered 200");

    await heading(bobs, "first mock");
    await ask(bobs, "bobs");
    await heading(bobs, "bobs mock");
    await adas.getByText("Version 2 was made by bob.").waitFor();
    expect(await shownVersion(adas)).toBe("1");
    await press(adas, "Show it");
    await heading(adas, "bobs mock");
    await adas.getByText("Version 2 was made by bob. It shows sample data,").waitFor();
    await askApi(adas, "The interface shows sample data: nobody is asked.");
    await adas.reload();
    await adas.getByText("Version 2 was made by bob. It shows sample data,").waitFor();
    await heading(adas, "bobs mock");
    expect(api.arrived.length).toBe(1);

    await ask(adas, "mine"); // which has what bob made in it
    await adas.getByText("Version 3 goes back to a version of bob.").waitFor();
    await press(adas, "Show it");
    await heading(adas, "mine mock");
    await press(adas, "Show it with live data");
    await heading(adas, "mine live");
    await askApi(adas, "Answered 200");
    await ask(adas, "more");
    await heading(adas, "more live");
    expect(api.arrived.map(({ headers }) => headers["x-key"])).toEqual(["of ada", "of ada"]);
  });

  test("are not needed to see an interface: without a connection that can be read there are sample data", async () => {
    const world = await newWorld();
    const sessionId = world.sessions.add(asking("seen", "https://shop.invalid"));
    const apiOf = world.sessions.apiOf.bind(world.sessions);
    world.sessions.apiOf = async () => Promise.reject(new Error("broken"));
    const page = await world.open(await newPage(), sessionId);
    await heading(page, "seen mock");
    await page.getByText("Whether this is connected to its API is not known:").waitFor();
    world.sessions.apiOf = apiOf;
    await press(page, "Try again");
    await expect.poll(() => page.locator("#connection").isEnabled()).toBe(true);
    expect(await page.locator(".notice-line").count()).toBe(0);
    world.sessions.apiOf = async () => undefined; // as of a session without any description
    const looks = () => world.asked().filter((one) => one === "GET /preview/connections/:sessionId").length;
    const before = looks();
    await page.reload();
    await heading(page, "seen mock");
    await expect.poll(looks).toBe(before + 1);
    expect([await page.locator("#connection").isEnabled(), await page.locator(".notice-line").count()]).toEqual([
      false,
      0,
    ]);
  });

  test("are had with credentials that are not lost by half, and forgotten also where nothing is connected", async () => {
    const world = await newWorld();
    const server = "https://shop.invalid/v1";
    const page = await world.open(
      await newPage(),
      world.sessions.add(showing("x"), { servers: [server], auth: [basic] }),
    );
    const dialog = page.getByRole("dialog", { name: "Connect to the API" });
    const [name, password] = [dialog.getByLabel("User name"), dialog.getByLabel("Password")];
    const kept = async () => {
      const { body } = await world.http.askAs(world.http.admin, { path: "/preview/connections" });
      return JSON.parse(body).connections.map((one: { schemes: unknown[] }) => one.schemes.length);
    };
    await press(page, "Sample data");
    expect(await dialog.getByRole("button", { name: "Forget credentials" }).isVisible()).toBe(false);
    await name.fill("ada");
    await password.fill("first");
    await press(page, "Connect");
    await page.getByRole("button", { name: "Live: shop.invalid" }).click();
    await password.fill("second");
    await press(page, "Reconnect");
    expect(await dialog.locator("input:invalid").count()).toBe(1);
    await name.fill("ada");
    await press(page, "Reconnect");
    await page.getByRole("button", { name: "Live: shop.invalid" }).click();
    await press(page, "Back to sample data");
    expect(await kept()).toEqual([1]);
    await press(page, "Sample data");
    await press(page, "Forget credentials");
    await dialog.waitFor({ state: "detached" });
    expect(await kept()).toEqual([]);
  });

  test("are told of to the interface, as are colours, and its code is exported", async () => {
    const world = await newWorld();
    const code = `import { useEffect, useState } from "react";
      export default function Shown({ host }) {
        const [said, setSaid] = useState([host.theme(), host.connection().mode].join(" "));
        useEffect(() => host.subscribe(() => setSaid([host.theme(), host.connection().mode].join(" "))), [host]);
        const choose = () => { document.documentElement.dataset.theme = "light"; };
        return <><p>{"Said:" + said + "."}</p><button onClick={host.openConnection}>Connect it</button><button onClick={choose}>Light</button></>;
      }`;
    const sessionId = world.sessions.add(code, { title: "A Shop", servers: ["https://shop.invalid/v1"] });
    const page = await world.open(await newPage({ acceptDownloads: true }), sessionId);
    await frameOf(page).getByText("Said: mock.").waitFor();
    await page.getByLabel("Colours").selectOption("Dark");
    await frameOf(page).getByText("Said:dark mock.").waitFor();
    await frameOf(page).getByRole("button", { name: "Light" }).click(); // there, and so it stays
    await frameOf(page).getByRole("button", { name: "Connect it" }).click();
    const dialog = page.getByRole("dialog", { name: "Connect to the API" });
    expect(await dialog.getByLabel("Server").inputValue()).toBe("https://shop.invalid/v1");
    await dialog.getByLabel("Server").press("Enter");
    await frameOf(page).getByText("Said:light live.").waitFor();
    await page.getByRole("button", { name: "Live: shop.invalid" }).click();
    await dialog.getByRole("button", { name: "Back to sample data" }).click();
    await frameOf(page).getByText("Said:light mock.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("a-shop.tsx");
    expect(readFileSync(await download.path(), "utf8")).toBe(code);
  });

  test("are not for who may only look, and neither is anything else", async () => {
    const world = await newWorld();
    const sessionId = world.sessions.add(showing("seen"));
    const page = await world.open(await newPage(), sessionId, await world.http.token("looker", "observe"));
    await frameOf(page).getByRole("heading", { name: "seen" }).waitFor();
    expect(await page.getByLabel("What should be different?").isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Sample data" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "New", exact: true }).click();
    expect(await page.getByRole("button", { name: "Generate" }).isVisible()).toBe(false);
  });
});
