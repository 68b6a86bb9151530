import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { previewApis } from "../../testing/preview-api.ts";
import { ask, frameOf, shownVersion } from "../../testing/preview-page.ts";
import { changed, heldCustomize, showing } from "../../testing/preview-studio.ts";
import { previewWorlds } from "../../testing/preview-world.ts";

// What the page does with a server that answers at once, and as the test wants.

const notes = '{"openapi":"3.1.0","info":{"title":"Notes","version":"1"},"paths":{"/notes":{"get":{"responses":{}}}}}';

describeInChromium("the page of the preview", () => {
  const { newPage } = chromiumFixture();
  const newWorld = previewWorlds();
  const newApi = previewApis();

  test("does one thing after the other, and goes on when one fails", async () => {
    const { customize, asked, next } = heldCustomize();
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
    await page.reload();
    await log.getByText("Only what is loaded").first().waitFor();
  });

  test("has a tab for each session, and finds them again by its address", async () => {
    const world = await newWorld(changed);
    const [cats, dogs] = [
      world.sessions.add(showing("cats"), { title: "Cats" }),
      world.sessions.add(showing("dogs"), { title: "Dogs" }),
    ];
    world.names.set(dogs, "My dogs");
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
    await expect.poll(() => page.locator("#connection").isEnabled()).toBe(true); // what the API is called is known by now
    expect(await page.locator(".tab-name").allTextContents()).toEqual(["Cats", "My dogs"]);
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
    await frameOf(page).getByRole("link", { name: "Save it" }).click();
    await page.getByText("The interface has a file for you: ../table.csv (3 bytes)").waitFor();
    await frameOf(page).getByRole("link", { name: "Out" }).click();
    await page.getByText("Links are not followed in the preview: https://elsewhere.invalid/x").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save", exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("table.csv");
    expect(readFileSync(await download.path(), "utf8")).toBe("a,b");
    expect(page.context().pages().length).toBe(1);
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
    expect(await page.getByLabel("Or paste it").inputValue()).toBe("hello"); // it was not that
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByLabel("Or paste it").fill(notes);
    await page.getByRole("button", { name: "Generate" }).dblclick();
    await expect.poll(() => page.locator(".tab-name").count()).toBe(2);
    expect([await page.getByLabel("Or paste it").inputValue(), world.sessions.all.size]).toEqual(["", 2]);
  });

  test("has so many tabs, and says so", async () => {
    const world = await newWorld();
    const ids = Array.from({ length: 30 }, () => world.sessions.newId());
    const page = await world.open(await newPage(), `${ids[0]}&tabs=${ids.join(",")}`);
    await expect.poll(() => page.locator(".tab-name").count()).toBe(30);
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByText("30 tabs are open, and no more can be. Close one first.").waitFor();
    await page.locator(".tab-close").nth(7).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".tab-name").count()).toBe(29);
    expect(await page.evaluate("document.activeElement.dataset")).toEqual({ tab: ids[8], part: "name" });
    expect(await page.locator("#trouble").textContent()).toBe("");
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
});
