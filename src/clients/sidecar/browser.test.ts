import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { serveProcesses } from "../../testing/serve-process.ts";
import type { SidecarClient } from "./client.ts";

const { place, launch } = serveProcesses();

/** The client as a page has it, under the name `sidecar`. */
async function bundled(): Promise<string> {
  const entry = fileURLToPath(new URL("client.ts", import.meta.url));
  const options = { bundle: true, format: "iife", globalName: "sidecar", platform: "browser", write: false } as const;
  const { outputFiles } = await build({ entryPoints: [entry], ...options });
  return outputFiles[0]?.text ?? "";
}

describeInChromium("the client in a browser", () => {
  const { newPage } = chromiumFixture();

  test("calls and streams by the cookie of whoever is signed in, from the beginning and after an event", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await page.goto(server.signInUrl);
    await page.evaluate(`${await bundled()}; window.client = new sidecar.SidecarClient({ url: location.origin })`);
    const [events, rest] = await page.evaluate(async () => {
      const { client } = globalThis as unknown as { client: SidecarClient };
      const { sessionId } = await client.createSession();
      await client.send({ sessionId, prompt: "list TypeScript files" });
      const all = async (after?: string) => {
        const found = [];
        for await (const event of client.stream(sessionId, { after, reconnect: { baseMs: 5 } })) {
          found.push(event);
          if (!after && event.event === "timeline.message" && event.data.done) await client.closeSession(sessionId);
        }
        return found;
      };
      const told = await all();
      return [told, await all(told[1]?.id)];
    });
    expect(events.map(({ event }) => event)).toContain("timeline.toolCall");
    expect(events.at(-1)?.data).toMatchObject({ content: expect.stringContaining("Session closed") });
    expect(rest).toEqual(events.slice(2));
  });
});
