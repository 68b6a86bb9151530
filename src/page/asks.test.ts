import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { serveProcesses } from "../testing/serve-process.ts";
import { vagueSpec } from "../testing/vague-spec.ts";

// Questions that no engine of ours puts yet: the stream is made up, everything else is the real page on the real server.

const { place, launch } = serveProcesses();

const expiresAt = "2099-01-01T00:00:00.000Z";
const ask = (askId: string, toolName: string, args: unknown, more = {}) => ({
  ...{ callId: askId, askId, toolName, args, requiresApproval: true, expiresAt },
  ...more,
});

const items = [
  { id: "ts", label: "TypeScript" },
  { id: "js", label: "JavaScript", detail: "no types" },
];

const open = [
  { id: "other", label: "Something else", detail: "you say what" },
  { id: "skip", label: "Leave it open" },
];

const removal = {
  title: "Run rm -rf build?",
  message: 'rm -rf build\n\nWhat "rm -rf build" does cannot be told from its words: it may be another rm.',
  danger: true,
  truncated: true,
};

const asks = [
  ask("a", "ask.prompt", { title: "Name", message: "What is it called?", defaultValue: "my-app" }),
  ask("b", "ask.prompt", { title: "Key", message: "The key of the registry", secret: true }),
  ask("c", "ask.pick", { title: "Language", message: "Which one?", items }),
  ask("d", "ask.pick", { title: "Targets", message: "Which ones?", items, multi: true }),
  ask("j", "ask.pick", { title: "Sharing", message: "With whom?", items: [...items, ...open], allowText: true }),
  ask("k", "ask.pick", { title: "Place", message: "Where?", items, allowText: true }),
  ask("e", "ask.confirm", { title: "Go on?", message: "", confirmLabel: "Go", cancelLabel: "Stay" }),
  ask("f", "exec.run", { command: "rm -rf build", timeoutMs: 5000, cwd: "app" }, removal),
  ask("l", "bash", { command: "npm test", description: "Run the unit tests", mode: "sync" }, { title: "npm test?" }),
  ask("m", "bash", { command: "ls -la", description: "Run ls -la" }, { title: "ls?", message: "ls -la" }),
  ask("h", "mcp.deploy", { to: "staging" }, { title: "Deploy?", allowRemember: true }),
  ask("i", "git.push", {}, { title: "Push?", executor: "plugin" }), // it asks there
  ask("g", "git.status", {}, { requiresApproval: false }), // a plugin runs it unasked
];

describeInChromium("a question", () => {
  const { newPage } = chromiumFixture();

  test("of every kind is put as what it is, and answered in its own way", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await page.goto(server.signInUrl);
    const { sessionId } = await server.result("session.create");
    const text = asks.map((data, at) => `id: ${at + 1}.0\nevent: tool.approval\ndata: ${JSON.stringify(data)}\n\n`);
    const body = `retry: 600000\n\n${text.join("")}`;
    await page.route("**/stream/**", (route) => route.fulfill({ contentType: "text/event-stream", body }));
    const answers: unknown[] = [];
    await page.route("**/rpc", async (route) => {
      const { id, method, params } = route.request().postDataJSON();
      if (method !== "session.approve") return route.continue();
      answers.push(params);
      await route.fulfill({
        json: { jsonrpc: "2.0", id, error: { code: -32602, message: "", data: { message: "Too late." } } },
      });
    });
    await page.goto(`${server.url}/#${sessionId}`);
    const form = (heading: string) => page.locator("form.ask", { has: page.getByRole("heading", { name: heading }) });
    const press = async (heading: string, button: string) => {
      await form(heading).getByRole("button", { name: button }).click();
      await form(heading).getByText("Too late.").waitFor(); // what the server says against it is read there
    };
    /** The last that was picked or typed counts. */
    const answerInOwnWords = async () => {
      const words = (heading: string) => form(heading).getByLabel("In your own words");
      expect(await form("Sharing").getByRole("button").allTextContents()).toEqual(["Take it"]);
      await form("Sharing").getByLabel("Something else").check();
      await form("Sharing").getByRole("button", { name: "Take it" }).click(); // says nothing yet
      expect(await words("Sharing").evaluate((field) => field.matches(":invalid"))).toBe(true);
      await words("Sharing").fill("the team");
      await form("Sharing").getByLabel("TypeScript").check();
      await press("Sharing", "Take it");
      await words("Sharing").fill(" only the team ");
      expect(await form("Sharing").getByLabel("Something else").isChecked()).toBe(true);
      await press("Sharing", "Take it");
      await words("Place").fill("by the window");
      await words("Place").press("Enter");
      await form("Place").getByText("Too late.").waitFor();
    };
    await form("Run this command?").waitFor();
    const until = (heading: string) => form(heading).locator("p.quiet", { hasText: "Open until" }).innerText();
    expect([await until("Name"), await until("Place"), await until("Go on?"), await until("Deploy?")]).toEqual([
      expect.stringMatching(/; then it is left open\.$/),
      expect.stringMatching(/; then it is left open\.$/),
      expect.stringMatching(/; then it counts as no\.$/),
      expect.stringMatching(/; then it counts as no\.$/),
    ]);
    expect(await page.locator("form.ask").count()).toBe(11);
    const elsewhere = page.locator("section.ask", { has: page.getByRole("heading", { name: "Push?" }) });
    await elsewhere.getByText("The program that this session belongs to does it, and asks there.").waitFor();
    expect(await elsewhere.getByRole("button").count()).toBe(0);

    await form("Name").getByLabel("Name").fill("parrot");
    await press("Name", "Send");
    expect(await form("Key").getByLabel("Key").getAttribute("type")).toBe("password");
    await press("Key", "No answer");
    await form("Language").getByLabel("JavaScript no types").check();
    await press("Language", "Take it");
    for (const label of ["TypeScript", "JavaScript no types"]) await form("Targets").getByLabel(label).check();
    await press("Targets", "Take it");
    await answerInOwnWords();
    await press("Go on?", "Go");
    expect((await form("Run this command?").innerText()).split(/\n+/).slice(0, -3)).toEqual([
      "Run this command?",
      "This cannot be undone, or reaches beyond the project.",
      "rm -rf build",
      "What it does cannot be told from its words: it may be another rm.",
      "cwd: app",
      "It may take 5 s.",
      "This is not shown whole.",
    ]);
    const lines = async (heading: string) => (await form(heading).innerText()).split(/\n+/).slice(0, -3);
    expect(await lines("npm test?")).toEqual([
      "npm test?",
      "npm test",
      "The agent says of it: Run the unit tests",
      "mode: sync",
    ]);
    expect(await lines("ls?")).toEqual(["ls?", "ls -la"]); // what says the same is not said again
    await form("Run this command?").getByLabel("Reason, if you deny it").fill("keep it");
    await press("Run this command?", "Deny");
    await form("Deploy?").getByLabel("From now on").check();
    await page.keyboard.press("Enter"); // answers nothing
    await form("Deploy?").getByLabel("Reason, if you deny it").fill("not on a Friday");
    await page.keyboard.press("Enter");
    await form("Deploy?").getByText("Too late.").waitFor();
    await press("Deploy?", "Approve");
    expect(answers).toEqual([
      { sessionId, askId: "a", approved: true, value: "parrot" },
      { sessionId, askId: "b", approved: false },
      { sessionId, askId: "c", approved: true, ids: ["js"] },
      { sessionId, askId: "d", approved: true, ids: ["ts", "js"] },
      { sessionId, askId: "j", approved: true, ids: ["ts"] },
      { sessionId, askId: "j", approved: true, value: "only the team" },
      { sessionId, askId: "k", approved: true, value: "by the window" },
      { sessionId, askId: "e", approved: true },
      { sessionId, askId: "f", approved: false, reason: "keep it" },
      { sessionId, askId: "h", approved: false, reason: "not on a Friday" },
      { sessionId, askId: "h", approved: true, remember: true },
    ]);
  });

  test("of a clarification is answered by a choice or in own words, and the log says which it was and with what", async () => {
    const where = place();
    mkdirSync(join(where.workspace, "specs", "001-sign-in"), { recursive: true });
    const spec = join(where.workspace, "specs", "001-sign-in", "spec.md");
    writeFileSync(spec, vagueSpec);
    const server = await launch(where).ready();
    const page = await newPage();
    await page.goto(server.signInUrl);
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("clarify specs/001-sign-in/spec.md");
    await page.keyboard.press("Enter");
    const forms = page.locator("form.ask");
    await forms.nth(1).waitFor();
    const [first = "", second = ""] = await forms.getByRole("heading").allTextContents();
    const form = (heading: string) => forms.filter({ has: page.getByRole("heading", { name: heading, exact: true }) });
    const label = (await form(first).locator(".choices label").first().textContent()) ?? "";
    await form(first).locator(".choices input").first().check();
    await form(first).getByRole("button", { name: "Take it" }).click();
    await form(second).getByLabel("In your own words").fill("by a passkey, or not at all");
    await form(second).getByRole("button", { name: "Take it" }).click();
    const written = page.getByRole("log", { name: "What happens in the session" });
    const line = (heading: string) =>
      written.locator("p.line", { hasText: heading.replace(/\?$/, "") }).filter({ hasText: "answered by" });
    const said = async (heading: string) => (await line(heading).innerText()).slice(heading.replace(/\?$/, "").length);
    await expect.poll(() => said(second)).toBe(": by a passkey, or not at all · answered by admin");
    await expect.poll(() => said(first)).toMatch(/^: .+ · answered by admin$/);
    expect(label.trim().startsWith((await said(first)).slice(2, -" · answered by admin".length))).toBe(true);
    const open = forms.getByLabel("Leave it open"); // the last question of all has no such choice
    for (let left = await open.count(); left > 0; left = await open.count()) {
      await open.first().check();
      await forms.first().getByRole("button", { name: "Take it" }).click();
      await expect.poll(() => open.count()).toBeLessThan(left);
    }
    await page.getByRole("button", { name: "Approve" }).click();
    await written
      .getByText(/^Wrote 2 answers into/)
      .first()
      .waitFor();
    expect(readFileSync(spec, "utf8")).toContain("by a passkey, or not at all");
    await page.reload();
    expect(await said(second)).toBe(": answered by admin"); // the stream never tells an answer
  });
});
