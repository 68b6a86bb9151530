import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type ServeProcess, serveProcesses } from "../testing/serve-process.ts";

// What the page shows of a session, from its first prompt to what is left of it.

const { place, launch } = serveProcesses();

async function newSession(server: ServeProcess, page: Page): Promise<void> {
  await page.goto(server.signInUrl);
  await page.getByRole("button", { name: "New session" }).click();
  await page.locator("#prompt:focus").waitFor();
}

async function send(page: Page, prompt: string): Promise<void> {
  await page.getByLabel("Prompt").fill(prompt);
  await page.keyboard.press("Enter");
}

const written = (page: Page) => page.getByRole("log", { name: "What happens in the session" });

describeInChromium("a session in the page", () => {
  const { newPage } = chromiumFixture();

  test("that is not there is asked for once, and the list is offered", async () => {
    const server = await launch(place()).ready();
    await server.result("session.create", { title: "The one there is" });
    const page = await newPage();
    const statuses: number[] = [];
    page.on("response", (response) => response.url().includes("/stream/") && statuses.push(response.status()));
    await page.goto(server.signInUrl);
    await page.goto(`${server.url}/#00000000-0000-4000-8000-000000000000`);
    await page.getByText("There is no such session. It was removed, or the link to it is wrong.").waitFor();
    expect(await page.locator("#session").isVisible()).toBe(false);
    // two more looks at the list are longer than it would have taken to try again
    for (const _ of [1, 2]) await page.waitForResponse("**/rpc");
    expect(statuses).toEqual([404]);
    await page.getByRole("link", { name: "Show all sessions" }).click();
    await page.getByText("Pick a session, or begin a new one.").waitFor();
    await page.getByRole("link", { name: "The one there is" }).click();
    await page.getByRole("heading", { name: "The one there is" }).waitFor();
  });

  test("leaves nothing in the page, nor in other windows, when someone signs out", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await newSession(server, page);
    await send(page, "write a file secret.txt with the text secret");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByLabel("Prompt").fill("a secret draft");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    for (const each of [page, other]) {
      await each.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await each.evaluate("document.documentElement.outerHTML")).not.toContain("secret");
      expect(await each.locator("#timeline > *, #asks > *, #sessions > *").count()).toBe(0);
      expect([await each.title(), await each.locator("#prompt").inputValue()]).toEqual(["Dragoman", ""]);
    }
  });

  test("is called by its first prompt, and the window says when one waits for an answer", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await newSession(server, page);
    const heading = page.locator("#session-title");
    await send(page, "list TypeScript files");
    await written(page).getByText("TypeScript files: 1.").waitFor();
    await send(page, "write a file a.txt with the text one");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await expect.poll(() => page.title()).toBe("Waits for an answer · Dragoman");
    expect(await heading.textContent()).toBe("list TypeScript files");
    await page.getByRole("link", { name: /^list TypeScript files.*waits for an answer/ }).waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await expect.poll(() => page.title()).toBe("Dragoman");
    await page.reload(); // the stream knows the first one
    await written(page).getByText("Write a.txt: denied by admin").waitFor();
    await page.getByRole("link", { name: /^list TypeScript files/ }).waitFor();
    expect(await heading.textContent()).toBe("list TypeScript files");
  });

  test("is listed as it is as soon as its stream tells of it, however seldom the page looks", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await page.clock.install(); // the page's time stands still: nothing but what we let pass
    await newSession(server, page);
    await page.clock.pauseAt(Date.now() + 60_000);
    const sessionId = new URL(page.url()).hash.slice(1);
    await server.result("session.send", { sessionId, prompt: "write a file a.txt with the text one" });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.clock.runFor(100);
    await page.getByRole("link", { name: /waits for an answer/ }).waitFor();
  });

  test("shows a prompt of the page that has to wait, until it begins", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await newSession(server, page);
    await send(page, "write a file a.txt with the text one");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await send(page, "list TypeScript files");
    const queued = written(page).locator(".queued");
    await queued.waitFor();
    expect(await queued.innerText()).toBe(
      "You · Queued: starts when the run before it has ended\n\nlist TypeScript files",
    );
    await page.getByRole("button", { name: "Deny" }).click();
    await written(page).getByText("TypeScript files: 1.").waitFor();
    expect(await queued.count()).toBe(0);
    expect(await written(page).locator(".user .text").allTextContents()).toEqual([
      "write a file a.txt with the text one",
      "list TypeScript files",
    ]);
  });

  test("has the output of a command open at its end while it runs, unless someone has scrolled up in it", async () => {
    const where = place();
    const server = await launch(where).ready();
    const page = await newPage();
    await newSession(server, page);
    const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.05; done`;
    const command = `seq 1 300; ${until("a")}; seq 301 400; ${until("b")}; seq 401 500; ${until("c")}`;
    await send(page, `run \`${command}\``);
    await page.getByRole("heading", { name: "Run this command?" }).waitFor();
    expect((await page.locator("form.ask").innerText()).split(command).length).toBe(2); // it says so once
    await page.getByRole("button", { name: "Approve" }).click();
    const output = page.locator("pre.output");
    const hidden = () =>
      page.evaluate(
        "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('pre.output'))",
      );
    await output.filter({ hasText: "300" }).waitFor();
    expect(await hidden()).toBeLessThan(2);
    writeFileSync(join(where.workspace, "a"), "");
    await output.filter({ hasText: "400" }).waitFor();
    expect(await hidden()).toBeLessThan(2);
    await output.focus();
    await page.keyboard.press("PageUp");
    await expect.poll(hidden).toBeGreaterThan(100);
    writeFileSync(join(where.workspace, "b"), "");
    await output.filter({ hasText: "500" }).waitFor();
    expect(await hidden()).toBeGreaterThan(1000);
    writeFileSync(join(where.workspace, "c"), "");
    await page.locator('details.call[data-status="done"]').waitFor();
    expect(await output.isVisible()).toBe(true); // they read it still
  });

  test("says in words why a run was cancelled", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await newSession(server, page);
    await send(page, "write a file a.txt with the text one");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await server.result("session.close", { sessionId: new URL(page.url()).hash.slice(1) });
    await written(page).getByText("Cancelled: the session was closed.").waitFor();
    await page.getByText("This session has ended.").waitFor();
    expect(await written(page).textContent()).not.toContain("session_closed");
  });
});
