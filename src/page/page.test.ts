import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { TokenBook } from "../access/token-book.ts";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type ServeProcess, serveProcesses } from "../testing/serve-process.ts";

// The page of the built server, in a real browser, as a person uses it.

const { place, launch } = serveProcesses();

/** A window that was signed in by the link. */
async function signedIn(server: ServeProcess, page: Page): Promise<Page> {
  await page.goto(server.signInUrl);
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  return page;
}

const written = (page: Page) => page.getByRole("log", { name: "What happens in the session" });

describeInChromium("the page", () => {
  const { newPage } = chromiumFixture();

  test("signs in by the link, which works once, with a cookie that no script can read", async () => {
    const server = await launch(place()).ready();
    const page = await signedIn(server, await newPage());
    expect(new URL(page.url()).href).toBe(`${server.url}/`);
    expect(await page.context().cookies()).toMatchObject([
      { name: `dragoman_${server.port}`, domain: "127.0.0.1", path: "/", httpOnly: true, sameSite: "Strict" },
    ]);
    expect(await page.evaluate("document.cookie")).toBe("");

    const other = await newPage();
    expect((await other.goto(server.signInUrl))?.status()).toBe(401);
    expect(await other.getByRole("heading").textContent()).toBe("This link does not sign in any more");
    expect(await other.context().cookies()).toEqual([]);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate("document.activeElement.id")).toBe("token");
  });

  test("lists the sessions as they come, shows one live, and approves what it asks", async () => {
    const where = place();
    const server = await launch(where).ready();
    const page = await signedIn(server, await newPage());
    await page.getByText("None yet.").waitFor();
    const { sessionId } = await server.result("session.create", { title: "From elsewhere" });
    await page.getByRole("link", { name: /From elsewhere/ }).click();
    expect(new URL(page.url()).hash).toBe(`#${sessionId}`);
    await server.result("session.send", { sessionId, prompt: "write a file notes.txt with the text hello" });
    await written(page).getByText("write a file notes.txt with the text hello").waitFor();
    await page.getByRole("heading", { name: "Write notes.txt?" }).waitFor();
    expect(await page.locator("pre.diff").innerText()).toContain("+hello");
    await page.getByRole("link", { name: /waits for an answer/ }).waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await written(page).getByText("Write notes.txt: approved by admin").waitFor();
    await written(page).getByText("Created notes.txt").waitFor();
    expect(readFileSync(join(where.workspace, "notes.txt"), "utf8")).toBe("hello\n");

    await server.result("session.close", { sessionId });
    await page.getByText("This session has ended.").waitFor();
    expect(await page.getByLabel("Prompt").isVisible()).toBe(false);
  });

  test("is used without a mouse, from the token to the answer", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    const focused = () => page.evaluate("document.activeElement?.textContent || document.activeElement?.id");
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.goto(server.url);
    await page.getByLabel("Or paste a token").waitFor();
    await press("Tab");
    expect(await focused()).toBe("Skip to the session");
    await press("Enter");
    expect(await focused()).toBe("token");
    await page.keyboard.type(`drg_${"x".repeat(43)}`);
    await press("Enter");
    await page.getByText("This token is not valid").waitFor();
    await page.keyboard.type(server.token); // the wrong one is selected
    await press("Enter");
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    await page.getByRole("button", { name: "New session" }).focus();
    await press("Enter");
    await page.locator("#prompt:focus").waitFor();
    await page.keyboard.type("write a file a.txt with the text one");
    await press("Shift+Enter", "Backspace", "Enter");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(await focused()).toBe("prompt"); // what is typed goes where it went
    await press("Shift+Tab", "Shift+Tab");
    expect(await focused()).toBe("Deny");
    await press("Tab");
    await page.keyboard.type("not today");
    await press("Enter");
    await written(page).getByText("Write a.txt: denied by admin").waitFor();
    await written(page).getByText("The reason: not today").waitFor();
    expect(await focused()).toBe("prompt");
  });

  test("cancels a run, and shows what a tool writes while it runs", async () => {
    const server = await launch(place()).ready();
    const page = await signedIn(server, await newPage());
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("run `echo begun; sleep 1000`");
    expect(await page.getByRole("button", { name: "Cancel the run" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.locator("pre.output", { hasText: "begun" }).waitFor();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await written(page).getByText("Cancelled by the user.").waitFor();
    expect(await page.getByRole("button", { name: "Cancel the run" }).isDisabled()).toBe(true);
    expect(await page.evaluate("document.activeElement.id")).toBe("prompt");
  });

  test("offers a token that only observes nothing that it may not do", async () => {
    const where = place();
    const server = await launch(where).ready();
    const { book } = await TokenBook.open(where.home);
    const { token } = await book.create({ name: "guest", roles: ["observe"] });
    book.close();
    const page = await newPage();
    await page.goto(server.url);
    await page.getByLabel("Or paste a token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("guest (observe)").waitFor();
    expect(await page.locator("#nothing").innerText()).toBe("Pick a session.");
    const { sessionId } = await server.result("session.create");
    await server.result("session.send", { sessionId, prompt: "write a file notes.txt with the text hello" });
    await page.getByRole("link", { name: /write a file/ }).click();
    await page.getByText("Your token may not answer it.").waitFor();
    const buttons = await page.getByRole("button").allTextContents();
    expect(buttons).toEqual(["Sign out"]);
  });

  test("goes on by itself when the server was started anew", async () => {
    const where = place();
    const first = await launch(where).ready();
    const page = await signedIn(first, await newPage());
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("list TypeScript files");
    await page.keyboard.press("Enter");
    await written(page).getByText("TypeScript files: 1.").waitFor();
    first.child.kill("SIGTERM");
    await first.exit;
    await launch(where, ["--port", String(first.port)]).ready();
    await page.getByLabel("Prompt").fill("read src/main.ts");
    await page.keyboard.press("Enter");
    await written(page).getByText("answer = 42").last().waitFor();
  });

  test("says that its sign-in has ended, and goes on as soon as someone has signed in there again", async () => {
    const where = place();
    const server = await launch(where).ready();
    const page = await signedIn(server, await newPage());
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("list TypeScript files");
    await page.keyboard.press("Enter");
    await written(page).getByText("TypeScript files: 1.").waitFor();
    rmSync(join(where.home, "sign-ins.json"));
    await page.getByText("You are signed out: your sign-in has ended").waitFor();
    const other = await page.context().newPage();
    const { url } = (await (await server.fetch("/auth/links", { method: "POST" })).json()) as { url: string };
    await other.goto(url);
    await written(page).getByText("TypeScript files: 1.").waitFor();
  });
});
