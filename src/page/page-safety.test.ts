import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type ServeProcess, serveProcesses } from "../testing/serve-process.ts";
import { strangers } from "../testing/stranger.ts";

// What other websites, and what an agent says, can do to the page and to the server behind it: nothing.

const { place, launch } = serveProcesses();
const newStranger = strangers();

async function signedIn(server: ServeProcess, page: Page): Promise<Page> {
  await page.goto(server.signInUrl);
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  return page;
}

const sessionsOf = async (server: ServeProcess) => (await server.result("session.list")).sessions;

/** They run in the browser, so they are no TypeScript. */
type Attack<Outcome> = (url: string) => Promise<Outcome>;
const attacks: { fromWebsite: Attack<Record<string, string>>; fromWithin: Attack<string[]> } = await import(
  new URL("../testing/website-attacks.js", import.meta.url).href
);

describeInChromium("the page, against others", () => {
  const { newPage } = chromiumFixture({ whole: true });

  test("a website on another port reads nothing and does nothing, in a browser that is signed in", async () => {
    const server = await launch(place()).ready();
    const page = await signedIn(server, await newPage());
    const stranger = await newStranger();
    await page.goto(stranger.url);
    expect(await page.evaluate(attacks.fromWebsite, server.url)).toEqual({
      read: "TypeError",
      blind: "TypeError",
      ticket: "TypeError",
      json: "TypeError",
      text: "TypeError",
      stream: "error",
      socket: "error",
      script: "error",
    });
    await page.setContent(
      `<form method="post" action="${server.url}/rpc" enctype="text/plain"><input name='{"a' value='"}'></form>`,
    );
    const [answer] = await Promise.all([
      page.waitForResponse(`${server.url}/rpc`),
      page.waitForURL(`${server.url}/rpc`), // it is there before something else is gone to
      page.evaluate("document.forms[0].submit()"),
    ]);
    expect(answer.status()).toBe(403);
    await page.goto(stranger.url);
    await Promise.all([
      page.waitForResponse(`${server.url}/`),
      page.setContent(`<iframe src="${server.url}/"></iframe>`),
    ]);
    const framed = page.frames().find((frame) => frame.parentFrame());
    expect(await framed?.locator("#sign-in-form").count()).toBe(0);
    expect(await sessionsOf(server)).toEqual([]);
    const refused = server.log.filter(({ event, status }) => event === "http.answered" && status === 403);
    expect(refused.length).toBeGreaterThan(5);
  });

  test("nothing in the page's address says where its server is, or who signs in", async () => {
    const server = await launch(place()).ready();
    const page = await signedIn(server, await newPage());
    const stranger = await newStranger();
    const names = ["gatewayUrl", "server", "api", "baseUrl", "url", "ws", "host", "callback", "next", "redirect"];
    const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, stranger.url])));
    for (const hash of [`#${stranger.url}`, "#//127.0.0.1", "#../auth/links", "#javascript:alert(1)"]) {
      await page.goto(`${server.url}/?${query}${hash}`);
      await page.getByRole("heading", { name: "Sessions" }).waitFor();
      await page.getByText("Pick a session, or begin a new one.").waitFor();
    }
    const { sessionId } = await server.result("session.create");
    await page.goto(`${server.url}/?${query}#${sessionId}`);
    await page.getByLabel("Prompt").fill("list TypeScript files");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("TypeScript files: 1.").waitFor();
    const signIn = await newPage();
    await signIn.goto(`${server.url}/sign-in?code=no&${query}`);
    await signIn.goto(`${server.url}/?${query}`);
    await signIn.getByLabel("Or paste a token").fill(server.token);
    await signIn.keyboard.press("Enter");
    await signIn.getByRole("heading", { name: "Sessions" }).waitFor();
    expect(stranger.asked).toEqual([]);
    expect((await page.goto(`${server.url}/?token=${server.token}`))?.status()).toBe(400);
  });

  test("what an agent says is text: no markup, no escape, nothing that hides or turns around", async () => {
    const where = place();
    const stranger = await newStranger();
    const markup = `<img src="${stranger.url}/img" onerror="document.title='owned'"><script src="${stranger.url}/js"></script>`;
    const hidden = "\u001b[2J\u001b]0;owned\u0007\u202egnp.exe\u202c\u200b\u2066\u009b1m";
    writeFileSync(join(where.workspace, "hostile.txt"), `before ${markup} ${hidden} after\n`);
    const server = await launch(where).ready();
    const page = await newPage();
    const asked = new Set<string>();
    page.context().on("request", (request) => asked.add(new URL(request.url()).origin));
    await signedIn(server, page);
    const { sessionId } = await server.result("session.create", { title: `${markup}${hidden}` });
    await page.goto(`${server.url}/#${sessionId}`);
    for (const prompt of ["read hostile.txt", `write a file x.txt with the text ${markup}${hidden}`]) {
      await server.result("session.send", { sessionId, prompt });
    }
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByRole("link", { name: /img src/ }).waitFor();
    const text = String(await page.evaluate("document.body.textContent"));
    expect(text).toContain(`before ${markup}`);
    expect(text).toContain("gnp.exe");
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(await page.locator("img, body script").count()).toBe(0);
    await expect.poll(() => page.title()).toBe("Waits for an answer · Dragoman");
    expect([...asked]).toEqual([server.url]);
    expect(stranger.asked).toEqual([]);
  });

  test("the page's own policy forbids scripts that are not its files, also to whoever gets markup in", async () => {
    const server = await launch(place()).ready();
    const page = await signedIn(server, await newPage());
    const stranger = await newStranger();
    const blocked = await page.evaluate(attacks.fromWithin, stranger.url);
    expect(blocked).toEqual(["connect-src", "frame-src", "img-src", "script-src-attr", "script-src-elem"]);
    expect([await page.title(), stranger.asked]).toEqual(["Dragoman", []]);
  });
});
