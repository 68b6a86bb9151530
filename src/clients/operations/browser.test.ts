import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { builtCommand } from "../../testing/built-command.ts";
import { ChaosProxy, type Mishap } from "../../testing/chaos-proxy.ts";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { installPackage } from "../../testing/installed-package.ts";
import { serveProcesses } from "../../testing/serve-process.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { vagueSpec } from "../../testing/vague-spec.ts";
import { type OperationMessage, OperationsClient } from "./index.ts";

const { place, launch } = serveProcesses();
const folder = temporaryFolder();
beforeAll(() => void installPackage(folder.path, "operations-page"));

const patience = { timeout: 45_000 }; // connections are cut again and again, and each attempt waits longer
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** One that nobody has at the moment: the server has to be told where the page will be, before the page knows where the server is. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The example as someone has it who installed the package; gives its address. */
async function servePage(port: number, server: string): Promise<string> {
  const args = [join(folder.path, "operations-page", "serve.mjs"), "--port", String(port), "--server", server];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  ends.push(() => child.kill());
  const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  return String(line).trim();
}

/** The first connections are cut, some before they are open. */
function* cuts(random: () => number, number: number): Iterable<Mishap> {
  if (number < 12) yield { afterBytes: Math.ceil(10_000 ** random()), do: "cut" };
}

test("what is built takes nothing of Node, but where there is no WebSocket", () => {
  const built = readFileSync(join(dirname(builtCommand), "clients", "operations.js"), "utf8");
  const imports = [...built.matchAll(/^\s*(?:import|export)\b.*\bfrom\b.*|\bimport\([^)]*\)/gm)].map(
    ([found]) => found,
  );
  expect(imports).toEqual(['import("ws")']);
  expect(built).not.toMatch(/\b(process|Buffer|require)\b[.(]/);
});

describeInChromium("the client in a browser", () => {
  const { newPage } = chromiumFixture();

  test("is loaded as it was built, clarifies, and survives cuts", async () => {
    const port = await freePort();
    const server = await launch(place(), ["--port", "0", "--allow-host", `127.0.0.1:${port}`]).ready();
    const proxy = await ChaosProxy.listen({ seed: 5, mishaps: cuts });
    ends.push(() => proxy.close());
    proxy.leadTo(server.port);
    const client = new OperationsClient({ url: server.url, token: server.token });
    await client.createFeature("001-sign-in", { content: vagueSpec });
    const page = await newPage();
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    await page.goto(await servePage(port, proxy.url));
    // A call that changes something is not made again by itself, so it is the person who tries again.
    await page.getByLabel("Token").fill(server.token);
    await expect
      .poll(async () => {
        const signIn = page.getByRole("button", { name: "Sign in" });
        if (await signIn.isVisible()) await signIn.click();
        return page.evaluate("sessionStorage.length");
      }, patience)
      .toBe(1);
    const { operation_id: id } = await client.start("001-sign-in", "clarify");
    await page.evaluate(`location.hash = ${JSON.stringify(id)}`);
    await page.locator("[data-ask]").nth(3).waitFor(patience);
    const [first, ...others] = await page.locator("[data-ask]").all();
    await first?.getByLabel("Your own words").fill("by a passkey");
    await first?.getByLabel("Your own words").press("Enter");
    for (const question of others) await question.getByRole("button").first().click();
    await page.locator(".complete").waitFor(patience);
    await expect.poll(() => page.locator("#state").textContent(), patience).toBe("closed");
    const shown = await page
      .locator("#messages > li:not([data-sequence^='-'])")
      .evaluateAll((rows) =>
        rows.map((row) => Number((row as unknown as { dataset: { sequence: string } }).dataset.sequence)),
      );
    const { messages }: { messages: OperationMessage[] } = await client.messages(id);
    expect(shown).toEqual(messages.map(({ sequence }) => sequence));
    expect(problems).toEqual([]);
    const { questions } = await client.operation(id);
    expect([questions[0]?.answer, JSON.stringify(messages).includes("passkey")]).toEqual(["by a passkey", false]);
    expect(proxy.done.cut).toBeGreaterThan(3);
  }, 180_000);
});
