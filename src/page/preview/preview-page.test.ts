import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { previewApis } from "../../testing/preview-api.ts";
import { ask, frameOf, shownVersion } from "../../testing/preview-page.ts";
import type { Customize } from "../../testing/preview-studio.ts";
import { previewWorlds } from "../../testing/preview-world.ts";

// What the page does with a server that answers at once, and as the test wants.

const notes = '{"openapi":"3.1.0","info":{"title":"Notes","version":"1"},"paths":{"/notes":{"get":{"responses":{}}}}}';
const showing = (text: string) => `export default function Shown() { return <h1>${text}</h1>; }`;
const changed: Customize = ({ prompt }) => ({ code: showing(prompt), description: `Done: ${prompt}` });

/** Answers that are given when the test says so, in the order in which they were asked for. */
function held() {
  const waiting: (() => void)[] = [];
  const asked: { prompt: string; history: { role: string; content: string }[] }[] = [];
  const customize: Customize = async (about) => {
    asked.push({ prompt: about.prompt, history: about.history });
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (about.prompt.startsWith("fail")) throw new Error(`I cannot ${about.prompt}.`);
    return changed(about);
  };
  const next = async () => {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
  };
  return { customize, asked, next };
}

describeInChromium("the page of the preview", () => {
  const { newPage } = chromiumFixture();
  const newWorld = previewWorlds();
  const newApi = previewApis();

  test("does one thing after the other, and goes on when one fails", async () => {
    const { customize, asked, next } = held();
    const world = await newWorld(customize);
    const page = await world.open(await newPage(), world.sessions.add(showing("first")));
    for (const prompt of ["one", "fail two", "three", "never"]) await ask(page, prompt);
    const log = page.getByRole("log");
    await expect.poll(() => log.getByText("Waiting").count()).toBe(3);
    await log.getByRole("button", { name: "Remove" }).last().click();
    await expect.poll(() => log.getByText("Waiting").count()).toBe(2);
    for (const _ of [1, 2, 3]) await next();
    await log.getByText("Done: three").waitFor();
    const said = (await log.locator(".message .text").allTextContents()).slice(2);
    expect(said).toEqual(["one", "fail two", "three", "Done: one", "I cannot fail two.", "Done: three"]);
    expect(asked.map(({ prompt }) => prompt)).toEqual(["one", "fail two", "three"]);
    await frameOf(page).getByRole("heading", { name: "three" }).waitFor();
    expect(await shownVersion(page)).toBe("3");
  });

  test("asks back with buttons, and sends the answer with what was said", async () => {
    const asked: unknown[] = [];
    const world = await newWorld(({ prompt, history }) => {
      asked.push({ prompt, history });
      if (/^search|^sort/.test(prompt)) return { question: `Where should I ${prompt}?`, options: ["Users", "Orders"] };
      return { code: showing(prompt), description: `Done: ${prompt}`, assumptions: ["Only what is loaded"] };
    });
    const page = await world.open(await newPage(), world.sessions.add(showing("first")));
    const log = page.getByRole("log");
    await ask(page, "search");
    await log.getByRole("button", { name: "Orders" }).click();
    await log.getByText("Done: Orders").waitFor();
    await log.getByText("Only what is loaded").waitFor();
    expect(await log.getByRole("button", { name: "Users" }).isDisabled()).toBe(true);
    await ask(page, "sort");
    await log.getByText("Where should I sort?").waitFor();
    await ask(page, "by name, everywhere");
    await log.getByText("Done: by name, everywhere").waitFor();
    const question = (what: string) => [
      { role: "user", content: what },
      { role: "assistant", content: `Where should I ${what}?` },
    ];
    const done = [
      ...question("search"),
      { role: "user", content: "Orders" },
      { role: "assistant", content: "Done: Orders" },
    ];
    expect(asked).toEqual([
      { prompt: "search", history: [] },
      { prompt: "Orders", history: question("search") },
      { prompt: "sort", history: done },
      { prompt: "by name, everywhere", history: [...done, ...question("sort")] },
    ]);
  });

  test("has a tab for each session, and finds them again by its address", async () => {
    const world = await newWorld(changed);
    const [cats, dogs] = [
      world.sessions.add(showing("cats"), { title: "Cats" }),
      world.sessions.add(showing("dogs"), { title: "Dogs" }),
    ];
    const page = await world.open(await newPage(), cats);
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByRole("button", { name: "Dogs" }).click();
    await frameOf(page).getByRole("heading", { name: "dogs" }).waitFor();
    await ask(page, "bigger dogs");
    await frameOf(page).getByRole("heading", { name: "bigger dogs" }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#${dogs}&tabs=${cats},${dogs}`);
    await page.reload();
    await frameOf(page).getByRole("heading", { name: "bigger dogs" }).waitFor();
    await page.getByRole("log").filter({ visible: true }).getByText("Done: bigger dogs").waitFor();
    await page.getByRole("button", { name: "Cats", exact: true }).click();
    await frameOf(page).getByRole("heading", { name: "cats" }).waitFor();
    expect(await page.getByRole("log").filter({ visible: true }).getByText("bigger dogs").count()).toBe(0);
    await page.getByRole("button", { name: "Close Cats" }).click();
    await frameOf(page).getByRole("heading", { name: "bigger dogs" }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#${dogs}`);
    expect(await page.evaluate("JSON.stringify([localStorage.length, sessionStorage.length])")).toBe("[0,0]");
  });

  test("switches between ten tabs without loading anything again", async () => {
    const world = await newWorld();
    const ids = Array.from({ length: 10 }, (_, at) =>
      world.sessions.add(showing(`made ${at}`), { title: `Tab ${at}` }),
    );
    const page = await world.open(await newPage(), `${ids[0]}&tabs=${ids.join(",")}`);
    for (let at = 0; at < 10; at++) {
      await page.getByRole("button", { name: `Tab ${at}`, exact: true }).click();
      await frameOf(page)
        .getByRole("heading", { name: `made ${at}` })
        .waitFor();
    }
    const loaded = world.asked().length;
    const switches = `(async () => {
      const began = performance.now();
      for (const tab of document.querySelectorAll(".tab-name")) {
        tab.click();
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - began;
    })()`;
    expect(await page.evaluate<number>(switches)).toBeLessThan(2000); // 200 ms each
    expect(world.asked().length).toBe(loaded);
  }, 60_000);

  test("shows an earlier version, what a version changed, and reverts with the changes in sight", async () => {
    const world = await newWorld(changed);
    const page = await world.open(await newPage(), world.sessions.add(showing("first")));
    await ask(page, "second");
    await frameOf(page).getByRole("heading", { name: "second" }).waitFor();
    const dialog = page.getByRole("dialog", { name: "Versions" });
    await page.getByRole("button", { name: "Version 2", exact: true }).click();
    await dialog.getByRole("button", { name: "Changes of version 2" }).click();
    await dialog.getByText("1 lines added, 1 removed").waitFor();
    await dialog.getByRole("button", { name: "All versions" }).click();
    await dialog.getByRole("button", { name: "Show version 1" }).click();
    await frameOf(page).getByRole("heading", { name: "first" }).waitFor();
    await page.getByRole("button", { name: "Version 1 of 2" }).click();
    await dialog.getByRole("button", { name: "Revert to version 1 …" }).click();
    await dialog.getByText("+export default function Shown() { return <h1>first</h1>; }").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Version 3", exact: true }).waitFor();
    await page.getByRole("log").getByText("Back to version 1.").first().waitFor();
    expect(world.sessions.version(world.sessions.all.keys().next().value ?? "").kind).toBe("rollback");
  });

  test("follows no link of an interface, and saves its files when the person says so", async () => {
    const world = await newWorld();
    const code = `import { useState } from "react";
      export default function Shown() {
        const [address] = useState(() => URL.createObjectURL(new Blob(["a,b"])));
        return <><a href="https://elsewhere.invalid/x" target="_blank">Out</a> <a href={address} download="../table.csv">Save it</a></>;
      }`;
    const page = await world.open(await newPage({ acceptDownloads: true }), world.sessions.add(code));
    await frameOf(page).getByRole("link", { name: "Out" }).click();
    await page.getByText("Links are not followed in the preview: https://elsewhere.invalid/x").waitFor();
    await frameOf(page).getByRole("link", { name: "Save it" }).click();
    await page.getByText("The interface has a file for you: ../table.csv (3 bytes)").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save", exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("table.csv");
    expect(readFileSync(await download.path(), "utf8")).toBe("a,b");
    expect(page.context().pages().length).toBe(1);
  });

  test("tells the interface of colours and of the connection, and exports its code", async () => {
    const world = await newWorld();
    const code = `import { useEffect, useState } from "react";
      export default function Shown({ host }) {
        const [said, setSaid] = useState([host.theme(), host.connection().mode].join(" "));
        useEffect(() => host.subscribe(() => setSaid([host.theme(), host.connection().mode].join(" "))), [host]);
        return <><p>{"Said:" + said + "."}</p><button onClick={host.openConnection}>Connect it</button></>;
      }`;
    const sessionId = world.sessions.add(code, { title: "A Shop", servers: ["https://shop.invalid/v1"] });
    const page = await world.open(await newPage({ acceptDownloads: true }), sessionId);
    await frameOf(page).getByText("Said: mock.").waitFor();
    await page.getByLabel("Colours").selectOption("Dark");
    await frameOf(page).getByText("Said:dark mock.").waitFor();
    await frameOf(page).getByRole("button", { name: "Connect it" }).click();
    const dialog = page.getByRole("dialog", { name: "Connect to the API" });
    expect(await dialog.getByLabel("Server").inputValue()).toBe("https://shop.invalid/v1");
    await dialog.getByLabel("Server").press("Enter");
    await frameOf(page).getByText("Said:dark live.").waitFor();
    await page.getByRole("button", { name: "Live: shop.invalid" }).click();
    await dialog.getByRole("button", { name: "Back to sample data" }).click();
    await frameOf(page).getByText("Said:dark mock.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("a-shop.tsx");
    expect(readFileSync(await download.path(), "utf8")).toBe(code);
  });

  test("takes a description that is dropped, and says what is wrong with another", async () => {
    const world = await newWorld();
    const page = await world.open(await newPage());
    await page.getByLabel("Or paste it").fill("hello");
    await page.getByRole("button", { name: "Generate" }).click();
    await page
      .getByRole("alert")
      .getByText(/OpenAPI.*Swagger.*GraphQL/)
      .waitFor();
    await page.evaluate(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([${JSON.stringify(notes)}], "notes.json"));
      document.getElementById("start").dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    })()`);
    await frameOf(page).getByRole("heading", { name: "Notes" }).first().waitFor();
  });

  test("reads a description from an address, from within the network when that is meant", async () => {
    const world = await newWorld();
    const api = await newApi((_, response) => response.end(notes));
    const page = await world.open(await newPage());
    await page.getByLabel("Or read it from an address").fill(`${api.url}/notes.json`);
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByRole("alert").getByText("in a private network").waitFor();
    expect(api.arrived).toEqual([]);
    await page.getByRole("button", { name: "Read it all the same" }).click();
    await frameOf(page).getByRole("heading", { name: "Notes" }).first().waitFor();
    const wrong = { name: "other.yaml", mimeType: "text/yaml", buffer: Buffer.from("hello") };
    await page.locator("#update-file").setInputFiles(wrong);
    await page
      .getByRole("alert")
      .filter({ visible: true })
      .getByText(/OpenAPI.*Swagger/)
      .waitFor();
  });

  test("lets who may only look do that, and nothing more", async () => {
    const world = await newWorld();
    const sessionId = world.sessions.add(showing("seen"));
    const page = await world.open(await newPage(), sessionId, await world.http.token("looker", "observe"));
    await frameOf(page).getByRole("heading", { name: "seen" }).waitFor();
    expect(await page.getByLabel("What should be different?").isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Sample data" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "New", exact: true }).click();
    expect(await page.getByRole("button", { name: "Generate" }).isVisible()).toBe(false);
  });

  test("comes back when the connection was lost, and shows what was made meanwhile", async () => {
    const { customize, asked } = held();
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

  test("says that one is signed out, and goes on when one has signed in elsewhere", async () => {
    const world = await newWorld();
    const page = await newPage();
    await page.goto(`${world.http.url}/preview#${world.sessions.add(showing("mine"))}`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const other = await page.context().newPage();
    await world.open(other);
    await page.bringToFront();
    await frameOf(page).getByRole("heading", { name: "mine" }).waitFor();
  });
});
