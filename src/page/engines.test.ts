import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TokenBook } from "../access/token-book.ts";
import { type StubModel, startStubModel } from "../stub-model/index.ts";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type Place, type ServeProcess, serveProcesses } from "../testing/serve-process.ts";

// What does the work of a session, chosen and shown in the page: with the real Copilot runtime, and the stub for its model.

const { place, launch } = serveProcesses();
let stub: StubModel;

beforeAll(async () => {
  stub = await startStubModel();
});
afterAll(() => stub.close());

function serve(where: Place): Promise<ServeProcess> {
  const env = {
    DRAGOMAN_COPILOT_BASE_URL: `${stub.url}/v1`,
    DRAGOMAN_COPILOT_MODEL: "stub-model",
    DRAGOMAN_COPILOT_HOME: `${where.home}-copilot`,
  };
  return launch(where, ["--port", "0"], env).ready();
}

async function signedIn(server: ServeProcess, page: Page): Promise<void> {
  await page.goto(server.signInUrl);
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
}

async function begin(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New session" }).click();
  await page.locator("#prompt:focus").waitFor();
}

async function send(page: Page, prompt: string): Promise<void> {
  await page.getByLabel("Prompt").fill(prompt);
  await page.keyboard.press("Enter");
}

/** What the server answers to these calls is changed on its way; where nothing is given for one, it is never answered. */
async function answering(page: Page, answers: Record<string, (result: object) => object | undefined>): Promise<void> {
  await page.route("**/rpc", async (route) => {
    const change = answers[route.request().postDataJSON().method];
    if (!change) return route.continue();
    const answer = await (await route.fetch()).json();
    const result = change(answer.result);
    if (result) await route.fulfill({ json: { ...answer, result } });
  });
}

const chosen = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true, includeHidden: true });
const about = (page: Page) => page.locator("#session-about");
const written = (page: Page) => page.getByRole("log", { name: "What happens in the session" });
const labels = (page: Page) => written(page).locator(".assistant .label").allTextContents();

describeInChromium("the engine of a session in the page", () => {
  const { newPage } = chromiumFixture();

  test("is chosen with its model, shown with it, and named over its answers; a command is said once", async () => {
    const where = place();
    const server = await serve(where);
    const page = await newPage();
    await signedIn(server, page);
    await chosen(page, "Engine").waitFor();
    expect(await chosen(page, "Engine").locator("option").allTextContents()).toEqual(
      expect.arrayContaining(["builtin", "copilot"]),
    );
    expect(await chosen(page, "Engine").inputValue()).toBe("builtin");
    expect(await chosen(page, "Model").isVisible()).toBe(false); // there is but one
    await chosen(page, "Engine").selectOption("copilot");
    await chosen(page, "Model").waitFor();
    expect(await chosen(page, "Model").locator("option").allTextContents()).toEqual([
      "Usual",
      "stub-model",
      "stub-model-2",
    ]);
    await chosen(page, "Model").selectOption("stub-model-2");
    await begin(page);
    await expect.poll(() => about(page).textContent()).toBe(`copilot · stub-model-2 · ${where.workspace}`);
    await send(page, "Go on [[run echo hello > b.txt; cat b.txt]] [[say All done.]]");
    await page.getByRole("heading", { name: "Run this command?" }).waitFor();
    const ask = (await page.locator("form.ask").innerText()).split(/\n+/);
    expect(ask.slice(0, -3)).toEqual([
      "Run this command?",
      "echo hello > b.txt; cat b.txt",
      expect.stringMatching(/cannot be told from its words: it writes to a file\.$/),
    ]);
    await page.getByRole("button", { name: "Approve" }).click();
    await written(page).getByText("All done.", { exact: true }).waitFor();
    expect(await labels(page)).toEqual(["copilot"]);
    const call = page.locator("details.call");
    expect(await call.locator("summary").innerText()).toBe("bash echo hello > b.txt; cat b.txt done");
    await call.locator("summary").click();
    expect((await call.innerText()).match(/^hello$/gm)).toHaveLength(1);
    expect(await call.innerText()).not.toContain("{");
    await page.getByRole("link", { name: /^Go on .* · copilot · stub-model-2$/ }).waitFor();
  });

  test("is begun with though it does not say its models, or says why it cannot", async () => {
    const server = await serve(place());
    const page = await newPage();
    const note = "copilot could not say which models it has: not signed in";
    let answers = 0;
    await answering(page, { "models.list": () => (answers++ === 0 ? { models: [], note } : undefined) });
    await signedIn(server, page);
    await page.getByText(note).waitFor();
    await chosen(page, "Engine").selectOption("copilot");
    expect(await page.getByText(note).count()).toBe(0); // that was about the other
    await begin(page);
    await expect.poll(() => about(page).textContent()).toContain("copilot · ");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.locator("#new-session-with option").count()).toBe(0);
  });

  test("is not asked for where there is one, nor of who may begin none", async () => {
    const where = place();
    const server = await serve(where);
    const page = await newPage();
    await answering(page, { "engines.list": () => ({ engines: [{ name: "builtin", default: true }] }) });
    await Promise.all([
      page.waitForResponse((response) => response.request().postData()?.includes("models.list") ?? false),
      signedIn(server, page),
    ]);
    await begin(page);
    await expect.poll(() => about(page).textContent()).toBe(`builtin · ${where.workspace}`);
    expect(await page.getByRole("combobox").count()).toBe(0);

    const { book } = await TokenBook.open(where.home);
    const { token } = await book.create({ name: "guest", roles: ["observe"] });
    book.close();
    const other = await newPage();
    await other.goto(server.url);
    await other.getByLabel("Or paste a token").fill(token);
    await other.keyboard.press("Enter");
    await other.getByText("guest (observe)").waitFor();
    expect(await other.getByRole("combobox").count()).toBe(0);
  });

  test("is that of each answer, when another goes on, and not guessed where nobody has seen it", async () => {
    const server = await serve(place());
    const page = await newPage();
    await signedIn(server, page);
    await begin(page);
    await send(page, "list TypeScript files");
    await written(page).getByText("TypeScript files: 1.").waitFor();
    await expect.poll(() => labels(page)).toEqual(["builtin"]);
    const sessionId = new URL(page.url()).hash.slice(1);
    await server.result("session.update", { sessionId, engine: "copilot", model: "stub-model" });
    await written(page).getByText("The session goes on with the engine copilot and the model stub-model").waitFor();
    await expect.poll(() => about(page).textContent()).toContain("copilot · stub-model · ");
    await send(page, "[[say Here I am.]]");
    await written(page).getByText("Here I am.", { exact: true }).waitFor();
    expect(await labels(page)).toEqual(["builtin", "copilot"]);
    await page.reload();
    await written(page).getByText("Here I am.", { exact: true }).waitFor();
    expect(await labels(page)).toEqual(["Agent", "copilot"]);
  });

  test("is listed with the model, with how the last run ended, and with a folder that is not the served one", async () => {
    const where = place();
    const server = await serve(where);
    const page = await newPage();
    for (const title of ["Third", "Second", "First"]) await server.result("session.create", { title });
    const more = [{ outcome: "failed", model: "o3" }, { outcome: "cancelled" }, { workspace: "/elsewhere/other app/" }];
    await answering(page, {
      "session.list": (result) => {
        const { sessions } = result as { sessions: object[] };
        return { workspace: where.workspace, sessions: sessions.map((each, at) => ({ ...each, ...more[at] })) };
      },
    });
    await signedIn(server, page);
    await page.getByRole("link", { name: "Third" }).waitFor();
    expect(await page.locator("#sessions a .quiet").allTextContents()).toEqual([
      "just now · failed · builtin · o3",
      "just now · cancelled · builtin",
      "just now · builtin · other app",
    ]);
  });

  test("is text, whatever it is called, and fits into a small window", async () => {
    const server = await serve(place());
    const page = await newPage({ viewport: { width: 360, height: 640 } });
    const hostile = `<img src=x onerror="document.title='owned'">\u202e${"x".repeat(300)}`;
    const models = ["a", "b"].map((id) => ({ id, name: `${id} ${hostile}`, capabilities: [] }));
    await answering(page, {
      "engines.list": () => ({ engines: ["builtin", hostile].map((name, at) => ({ name, default: at === 0 })) }),
      "models.list": () => ({ models, current: hostile, note: hostile }),
      "session.list": (result) => {
        const { sessions } = result as { sessions: object[] };
        return { sessions: sessions.map((each) => ({ ...each, engine: hostile, model: hostile, outcome: hostile })) };
      },
    });
    await server.result("session.create", { title: "The first" });
    await signedIn(server, page);
    await chosen(page, "Model").waitFor();
    const isTooWide = () => page.evaluate("document.scrollingElement.scrollWidth > innerWidth");
    expect(await isTooWide()).toBe(false);
    await page.getByRole("link", { name: "The first" }).click();
    await expect.poll(() => about(page).textContent()).toContain("<img");
    expect(await isTooWide()).toBe(false);
    expect(await page.evaluate("document.body.textContent")).not.toMatch(/\p{Cf}/u);
    expect([await page.locator("img").count(), await page.title()]).toEqual([0, "Dragoman"]);
  });
});
