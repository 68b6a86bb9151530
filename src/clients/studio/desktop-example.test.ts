import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { builtCommand } from "../../testing/built-command.ts";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { settle } from "../../testing/scripted.ts";
import { serveProcesses } from "../../testing/serve-process.ts";
import { hostChildren } from "../../testing/studio-host-children.ts";
import type { SentLine } from "../../testing/studio-host-memory.ts";
import { answered, memoryHosts } from "../../testing/studio-host-world.ts";
import { StudioHost } from "./index.ts";

// The example of a desktop app (examples/desktop), without Electron: what it does, on a host whose runtimes are in the test's hands; and its page, in a browser.

const inExample = (name: string) => new URL(`../../../examples/desktop/${name}`, import.meta.url);
const { Desk } = await import(inExample("desk.mjs").href);
const { interfacePage } = await import(inExample("interface-page.mjs").href);
const { running } = memoryHosts();
const { keep } = hostChildren();
const { place } = serveProcesses();
const pets = { name: "pets.yaml", text: readFileSync(inExample("pets.yaml"), "utf8") };

async function newDesk() {
  const world = await running();
  let changes = 0;
  const desk = new Desk(world.host, () => changes++);
  const tab = (id: string) => desk.view.tabs.find((one: { id: string }) => one.id === id);
  const messages = (id: string) =>
    tab(id).messages.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`);
  /** The requests that the runtime has not answered, the oldest first. */
  const open = new Set<SentLine>();
  const seen = new Set<SentLine>();
  const next = async () => {
    await settle(3);
    for (const line of world.runtimes.last.sent) {
      if (!seen.has(line) && ["generate", "customize", "chat"].includes(line.method)) open.add(line);
      seen.add(line);
    }
    return [...open];
  };
  const answer = async (result: object) => {
    const [line] = await next();
    if (!line) throw new Error("nothing was asked");
    open.delete(line);
    world.runtimes.last.say({ id: line.id, ...result });
    await settle(3);
    return line;
  };
  /** A tab with an interface. */
  const generated = async (code = "v1") => {
    const id: string = desk.open(pets);
    void desk.generate(id);
    await answer({ result: { code, componentCount: 1, description: `made ${code}` } });
    return id;
  };
  return { ...world, desk, tab, messages, next, answer, generated, changes: () => changes };
}

const changed = (code: string) => ({
  result: { code, description: `made ${code}`, assumptions: ["a guess"], clarificationNeeded: false },
});
const asked = { result: { code: null, clarificationNeeded: true, question: "Which?", options: ["Users", "Orders"] } };
const refused = { error: { code: -32001, message: "That cannot be." } };

describe("a tab", () => {
  test("has an interface generated, in pieces before, and shows it as its first version", async () => {
    const { desk, tab, messages, next, answer, runtimes, changes } = await newDesk();
    const id = desk.open(pets);
    const done = desk.generate(id);
    expect([tab(id).waiting, changes()]).toEqual([["Generate the interface"], 2]);
    const [line] = await next();
    expect(line?.params).toMatchObject({ source: pets, format: "react", context: { tabId: id } });
    runtimes.last.chunk(line?.id, 0, "const a");
    expect(tab(id)).toMatchObject({ draft: "const a", waiting: [] });
    await answer({ result: { code: "const a = 1", componentCount: 1, description: "A view of pets" } });
    await done;
    expect(tab(id)).toMatchObject({
      draft: "",
      versions: [{ number: 1, kind: "generation", description: "A view of pets" }],
    });
    expect([messages(id), desk.codeOf(id, 1)]).toEqual([
      ["user: Generate the interface", "assistant: A view of pets"],
      "const a = 1",
    ]);
  });

  test("is changed by one wish after the other, and one that fails does not hold the next", async () => {
    const { desk, tab, messages, next, answer, generated } = await newDesk();
    const id = await generated();
    for (const wish of ["one", "two", "three"]) void desk.customize(id, wish);
    expect([(await next()).length, tab(id).waiting]).toEqual([1, ["two", "three"]]);
    expect((await answer(changed("v2"))).params).toMatchObject({ prompt: "one", currentCode: "v1" });
    expect((await answer(refused)).params).toMatchObject({ prompt: "two", currentCode: "v2" });
    expect((await answer(changed("v3"))).params).toMatchObject({ prompt: "three", currentCode: "v2" });
    expect(messages(id).slice(2)).toEqual([
      ...["user: one", "assistant: made v2\na guess", "user: two", "error: That cannot be."],
      ...["user: three", "assistant: made v3\na guess"],
    ]);
    expect(tab(id).versions.map(({ kind }: { kind: string }) => kind)).toEqual([
      "generation",
      "customization",
      "customization",
    ]);
  });

  test("does not wait for another, and what fails in it is not told to the runtime as history", async () => {
    const { desk, next, answer, generated } = await newDesk();
    const [first, second] = [await generated("a"), await generated("b")];
    void desk.customize(first, "x");
    void desk.customize(second, "y");
    const both = await next();
    expect(both.map(({ params }) => [params.prompt, params.context?.tabId])).toEqual([
      ["x", first],
      ["y", second],
    ]);
    await answer(refused);
    void desk.customize(first, "z");
    await answer(changed("b2"));
    expect((await answer(changed("a2"))).params.history).toEqual([
      { role: "user", content: "Generate the interface" },
      { role: "assistant", content: "made a" },
      { role: "user", content: "x" },
    ]);
  });

  test("shows the options of a question, and sends what is chosen after that question", async () => {
    const { desk, tab, messages, answer, generated } = await newDesk();
    const id = await generated();
    void desk.customize(id, "add a search bar");
    void desk.customize(id, "make it blue");
    await answer(asked);
    await answer(changed("v2"));
    expect(tab(id).messages[3]).toEqual({ role: "assistant", content: "Which?", options: ["Users", "Orders"] });
    void desk.choose(id, 3, "Orders");
    expect(() => desk.choose(id, 3, "Users")).toThrow("it is answered");
    expect((await answer(changed("v3"))).params).toMatchObject({
      prompt: "Orders",
      currentCode: "v2",
      history: [
        { role: "user", content: "Generate the interface" },
        { role: "assistant", content: "made v1" },
        { role: "user", content: "add a search bar" },
        { role: "assistant", content: "Which?" },
      ],
    });
    expect(messages(id).at(-1)).toBe("assistant: made v3\na guess");
  });

  test("keeps all its versions: going back makes a new one", async () => {
    const { desk, tab, messages, answer, generated } = await newDesk();
    const id = await generated();
    void desk.customize(id, "x");
    await answer(changed("v2"));
    await desk.rollback(id, 1);
    await desk.rollback(id, 9);
    void desk.customize(id, "y");
    expect((await answer(changed("v4"))).params.currentCode).toBe("v1");
    expect(tab(id).versions).toEqual([
      { number: 1, kind: "generation", description: "made v1" },
      { number: 2, kind: "customization", description: "made v2" },
      { number: 3, kind: "rollback", description: "As version 1" },
      { number: 4, kind: "customization", description: "made v4" },
    ]);
    expect([1, 2, 3, 4].map((number) => desk.codeOf(id, number))).toEqual(["v1", "v2", "v1", "v4"]);
    expect(messages(id)).toContain("error: There is no version 9.");
  });

  test("says that there is nothing to change yet, and can just be talked to", async () => {
    const { desk, messages, answer } = await newDesk();
    const id = desk.open(pets);
    await desk.customize(id, "x");
    void desk.chat(id, "hello");
    await answer({ result: answered });
    expect(messages(id).slice(1)).toEqual([
      "error: There is no interface yet. Generate it first.",
      "user: hello",
      "assistant: ok",
    ]);
  });

  test("throws away what came before a crash, and is answered afterwards", async () => {
    const { desk, tab, next, runtimes, crash } = await newDesk();
    const id = desk.open(pets);
    const done = desk.chat(id, "hi");
    const [line] = await next();
    runtimes.last.chunk(line?.id, 0, "half an ans");
    await crash(0);
    expect(tab(id).draft).toBe("");
    await crash(5);
    runtimes.last.chunk(2, 0, "whole");
    expect(tab(id).draft).toBe("whole");
    runtimes.last.answer(2, answered);
    await done;
    expect(tab(id).messages.at(-1)).toEqual({ role: "assistant", content: "ok" });
  });

  test("that is closed gives up what is under way and what waits", async () => {
    const { desk, next, runtimes, generated } = await newDesk();
    const id = await generated();
    void desk.customize(id, "x");
    void desk.customize(id, "y");
    await next();
    desk.close(id);
    await settle(3);
    expect([desk.view.tabs, runtimes.last.sent.slice(2).map(({ method }) => method)]).toEqual([
      [],
      ["customize", "cancel"],
    ]);
  });
});

test("what the runtime asks is shown until it is answered or the runtime is gone", async () => {
  const { desk, runtimes, crash } = await newDesk();
  const ask = { runId: "r", sessionId: "s", kind: "confirm", message: "", expiresAt: 0 };
  for (const askId of ["a", "b"]) runtimes.last.tell("ask/opened", { ...ask, askId, title: `${askId}?` });
  expect(desk.view.asks).toEqual([
    { askId: "a", title: "a?", message: "" },
    { askId: "b", title: "b?", message: "" },
  ]);
  void desk.answer("a", true).catch(() => {});
  await settle(3);
  expect(runtimes.last.sent.at(-1)?.params).toEqual({ askId: "a", answer: { ok: true }, sessionId: "s" });
  runtimes.last.tell("ask/closed", { runId: "r", sessionId: "s", askId: "a", outcome: "answered" });
  expect(desk.view.asks).toHaveLength(1);
  await crash(0);
  expect(desk.view.asks).toEqual([]);
});

describeInChromium("the page of the desktop example", () => {
  const { newPage } = chromiumFixture({ whole: true });

  /** The page, with what it asks of the main process. */
  async function open(view: object): Promise<{ page: Page; calls: unknown[][] }> {
    const page = await newPage();
    const calls: unknown[][] = [];
    await page.exposeFunction("called", (...args: unknown[]) => {
      calls.push(args);
      return args[0] === "view" ? view : undefined;
    });
    await page.addInitScript("window.desk = { call: (...args) => window.called(...args), onChange: () => {} }");
    await page.goto(fileURLToPath(inExample("index.html")).replace(/^/, "file://"));
    return { page, calls };
  }

  /** A generated interface in a frame like that of the example. */
  async function framed(code: string) {
    const { html, policy } = await interfacePage(code);
    const page = await newPage();
    const asked: string[] = [];
    await page.route("http://interface.test/**", (route) => {
      const path = new URL(route.request().url()).pathname;
      asked.push(path);
      const outside = '<iframe sandbox="allow-scripts" src="/frame"></iframe>';
      const headers: Record<string, string> = path === "/frame" ? { "Content-Security-Policy": policy } : {};
      return route.fulfill({ contentType: "text/html", headers, body: path === "/frame" ? html : outside });
    });
    await page.goto("http://interface.test/");
    return { page, frame: page.frameLocator("iframe"), asked };
  }

  test("draws what it is told as text, and passes on what is clicked", async () => {
    const bold = "<b>bold</b>";
    const tab = {
      ...{ id: "tab-1", title: "Pets", waiting: ["later"], draft: "so far" },
      messages: [{ role: "assistant", content: bold, options: ["Users", "Orders"] }],
      versions: [
        { number: 1, kind: "generation", description: "first" },
        { number: 2, kind: "customization", description: "second" },
      ],
    };
    const asks = [{ askId: "a", title: "Write notes.txt?", message: "" }];
    const log = [{ at: 0, from: "runtime", text: bold }];
    const { page, calls } = await open({ tabs: [tab], asks, log, state: "running" });
    await page.getByRole("button", { name: "Orders" }).click();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByRole("button", { name: "Back to 1" }).click();
    await page.getByLabel("What should be otherwise?").fill("bigger");
    await page.getByRole("button", { name: "Change the interface" }).click();
    expect(calls.slice(1)).toEqual([
      ["choose", "tab-1", 0, "Orders"],
      ["answer", "a", true],
      ["rollback", "tab-1", 1],
      ["customize", "tab-1", "bigger"],
    ]);
    expect(await page.locator("#messages li").allInnerTexts()).toEqual([
      expect.stringContaining(bold),
      "so far…",
      "waits: later",
    ]);
    expect(await page.locator("#log").textContent()).toBe(`runtime: ${bold}\n`);
    const frame = page.locator("#frame");
    expect([await frame.getAttribute("sandbox"), await frame.getAttribute("src")]).toEqual([
      "allow-scripts",
      "interface://tab-1/2",
    ]);
  });

  test("shows what the package's own runtime generates and changes", async () => {
    const { workspace, home } = place();
    const args = [builtCommand, "stdio", "--dialect", "studio", "--workspace", workspace];
    const target = { command: process.execPath, args, env: { set: { DRAGOMAN_HOME: home } } };
    const host = keep(new StudioHost({ clientName: "test", clientVersion: "1" }, target));
    await host.start();
    const desk = new Desk(host);
    const id = desk.open(pets);
    await desk.generate(id);
    await desk.customize(id, "rename pets to Animals");
    const [tab] = desk.view.tabs;
    expect(tab.versions.map(({ kind }: { kind: string }) => kind)).toEqual(["generation", "customization"]);
    const { frame } = await framed(desk.codeOf(id, 2));
    await frame.getByRole("link", { name: "Animals" }).first().waitFor();
  });

  test("has generated code run in a frame that reaches nothing", async () => {
    const code = `export default function App() {
      const reached = (act) => { try { return String(act()); } catch { return "nothing"; } };
      fetch("http://interface.test/secret").then(() => { document.title = "reached"; }, () => { document.title = "blocked"; });
      return <p>{"</script>" + reached(() => parent.document.title) + reached(() => document.cookie)}</p>;
    }`;
    const { page, frame, asked } = await framed(code);
    await frame.locator("p").waitFor();
    expect(await frame.locator("p").textContent()).toBe("</script>nothingnothing");
    await expect.poll(() => page.frames()[1]?.title()).toBe("blocked");
    expect(asked.filter((path) => path !== "/favicon.ico")).toEqual(["/", "/frame"]);
  });
});
