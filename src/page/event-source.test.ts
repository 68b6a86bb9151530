import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type ServeProcess, serveProcesses } from "../testing/serve-process.ts";
import { SseDecoder } from "../transports/sse.ts";

// Nothing of ours in the browser: a plain program for EventSource.

const { place, launch } = serveProcesses();

type Heard = [id: string, event: string, data: string][];

const listen = `(url) => {
  window.heard = [];
  const source = new EventSource(url);
  for (const name of ["timeline.message", "timeline.toolCall", "plan.start", "plan.step", "plan.complete"]) {
    source.addEventListener(name, ({ lastEventId, data }) => heard.push([lastEventId, name, data]));
  }
  source.onerror = () => { window.state = source.readyState };
}`;

async function wholeStream(server: ServeProcess, sessionId: string): Promise<Heard> {
  const events: Heard = [];
  const decoder = new SseDecoder();
  const text = await (await server.fetch(`/stream/${sessionId}`)).arrayBuffer();
  for (const event of decoder.push(new Uint8Array(text))) {
    if (event instanceof Error) throw event;
    events.push([event.id, event.event, event.data]);
  }
  return events;
}

describeInChromium("the browser's own EventSource", () => {
  const { newPage } = chromiumFixture();

  test("has every event once when the server was started anew on its port, and ends with the session", async () => {
    const where = place();
    const first = await launch(where).ready();
    const { token, port, url } = first;
    // Sign-ins end with the process; a browser that has the token's header from elsewhere, say from a proxy, goes on.
    const page = await newPage({ bypassCSP: true, extraHTTPHeaders: { authorization: `Bearer ${token}` } });
    await page.goto(`${url}/health`);
    const { sessionId } = await first.result("session.create");
    await first.result("session.send", { sessionId, prompt: "list TypeScript files" });
    await page.evaluate(`(${listen})("/stream/${sessionId}")`);
    const runs = (count: number) =>
      page.waitForFunction(`heard.filter(([, , data]) => data.includes('"done":true')).length === ${count}`);
    const heard = () => page.evaluate("heard") as Promise<Heard>;
    await runs(1);
    const before = await heard();

    first.child.kill("SIGTERM");
    await first.exit;
    await page.waitForFunction("state === EventSource.CONNECTING");
    const resumed = page.waitForResponse((response) => response.url().includes("/stream/"));
    const second = await launch(where, ["--port", String(port)]).ready();
    expect((await (await resumed).request().allHeaders())["last-event-id"]).toBe(before.at(-1)?.[0]);
    await second.result("session.send", { sessionId, prompt: "list TypeScript files again" });
    await runs(2);
    await second.result("session.close", { sessionId });
    await page.waitForFunction("state === EventSource.CLOSED"); // it asked once more, and was told that there is no more
    const [farewell, ...others] = (await heard()).filter(([, , data]) => data.includes("The server stops."));
    expect([farewell?.[0], others]).toEqual([before.at(-1)?.[0], []]); // it has no id of its own
    expect((await heard()).filter((event) => event[2] !== farewell?.[2])).toEqual(await wholeStream(second, sessionId));
  });
});
