import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { previewApis } from "../testing/preview-api.ts";
import { begun, generated } from "../testing/preview-page.ts";
import { type Place, type ServeProcess, serveProcesses } from "../testing/serve-process.ts";
import { formsOf } from "./secret-forms.ts";

// A credential is entered once, outside of the frame. From then on it is in the vault and in requests to its API, and nowhere else.

const { place, launch } = serveProcesses();
const newApi = previewApis();
const CANARY = "canary/7f3c+9d-Secret";
const forms = formsOf([CANARY, `ada:${CANARY}`]);

const note = { type: "object", properties: { id: { type: "integer" }, title: { type: "string" } } };
const listed = { type: "array", items: note };
const answer = (schema: object) => ({ 200: { description: "ok", content: { "application/json": { schema } } } });

const description = (server: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Notebook", version: "1" },
    servers: [{ url: `${server}/v1` }],
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        inQuery: { type: "apiKey", in: "query", name: "token" },
        basic: { type: "http", scheme: "basic" },
      },
    },
    security: [{ key: [], inQuery: [], basic: [] }],
    paths: {
      "/notes": {
        get: { responses: answer(listed) },
        post: { requestBody: { content: { "application/json": { schema: note } } }, responses: answer(note) },
      },
      "/notes/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        get: { responses: answer(note) },
      },
    },
  });

/** An API that gives back everything that it was sent. */
const echoing = () =>
  newApi(({ headers, url, method }, response) => {
    response.writeHead(200, { "content-type": "application/json", "set-cookie": `echo=${headers["x-key"]}` });
    const title = `Sent ${method} ${url} ${JSON.stringify(headers)}`;
    response.end(JSON.stringify(url.includes("/notes/") ? { id: 1, title } : [{ id: 1, title }]));
  });

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const foundIn = (text: string | Buffer) => forms.filter((form) => text.includes(form));

/** What a page and all of its frames hold that a script could read. */
const held = `JSON.stringify([
  document.documentElement.outerHTML,
  [...document.querySelectorAll("input, textarea")].map(({ value }) => value),
  (() => { try { return { ...localStorage, ...sessionStorage, cookie: document.cookie }; } catch { return "none"; } })(),
  performance.getEntries().map(({ name }) => name),
])`;

async function secretsIn(page: Page): Promise<string[]> {
  const texts = await Promise.all(page.frames().map((frame) => frame.evaluate<string>(held)));
  const cookies = JSON.stringify(await page.context().cookies());
  return [...texts, cookies].flatMap(foundIn);
}

async function connectByFrame(page: Page): Promise<void> {
  await page.frameLocator("iframe.frame").getByTitle("Connection").filter({ visible: true }).click();
  const dialog = page.getByRole("dialog", { name: "Connect to the API" });
  await dialog.getByRole("group", { name: "Key" }).getByLabel("Key").fill(CANARY);
  await dialog.getByRole("group", { name: "In query" }).getByLabel("Key").fill(CANARY);
  await dialog.getByLabel("User name").fill("ada");
  await dialog.getByLabel("Password").fill(CANARY);
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

async function everythingSaid(server: ServeProcess, { home, workspace }: Place): Promise<string[]> {
  const files = [...filesBelow(home), ...filesBelow(workspace)].filter((path) => statSync(path).size > 0);
  const inFiles = files.flatMap((path) => foundIn(readFileSync(path)).map(() => path));
  return [...inFiles, ...foundIn(server.stdout), ...foundIn(server.stderr)];
}

describeInChromium("a credential", () => {
  const { newPage } = chromiumFixture({ whole: true });

  test("reaches its API, and no page, log, file or generated code", async () => {
    const where = place();
    const server = await launch(where, ["--port", "0", "--log-level", "debug"]).ready();
    const api = await echoing();
    const page = await begun(server, await newPage());
    const sent: string[] = [];
    const received: Promise<string>[] = [];
    page.on("request", (request) => {
      if (foundIn(request.postData() ?? "").length + foundIn(request.url()).length > 0)
        sent.push(`${request.method()} ${new URL(request.url()).pathname.replace(/[^/]{30,}/, ":id")}`);
    });
    page.on("response", (response) => received.push(response.text().catch(() => "")));
    const frame = await generated(page, description(api.url));
    await connectByFrame(page);
    await page.getByRole("button", { name: `Live: ${new URL(api.url).host}` }).waitFor();
    await frame.getByText("Live", { exact: true }).filter({ visible: true }).waitFor();
    await frame.getByRole("link", { name: "Notes" }).first().click();
    await frame
      .getByText(/Sent GET .*\[redacted\]/)
      .first()
      .waitFor();

    const [arrived] = api.arrived.filter(({ url }) => url.startsWith("/v1/notes"));
    expect([arrived?.headers["x-key"], new URL(arrived?.url ?? "", api.url).searchParams.get("token")]).toEqual([
      CANARY,
      CANARY,
    ]);
    expect(arrived?.headers.authorization).toBe(`Basic ${Buffer.from(`ada:${CANARY}`).toString("base64")}`);

    await page.getByRole("button", { name: "Console" }).click();
    await page
      .getByText(/\/v1\/notes/)
      .first()
      .click();
    await page.getByText("x-key: [redacted]").filter({ visible: true }).first().waitFor();
    expect(await secretsIn(page)).toEqual([]);
    expect(sent).toEqual(["PUT /preview/connections/:id"]);
    expect((await Promise.all(received)).flatMap(foundIn)).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: /^Live: / }).waitFor();
    expect(await secretsIn(page)).toEqual([]);
    await page.getByRole("button", { name: /^Live: / }).click();
    await page
      .getByText(/Something was set on/)
      .first()
      .waitFor();
    expect(await secretsIn(page)).toEqual([]);

    const { sessionId } = (await server.result("session.list")).sessions[0];
    const known = ["/preview/connections", `/preview/connections/${sessionId}`, `/preview/requests/${sessionId}`];
    const told = await Promise.all(known.map(async (path) => (await server.fetch(path)).text()));
    expect(told.flatMap(foundIn)).toEqual([]);
    expect(told[2]).toContain("/v1/notes");
    expect(await everythingSaid(server, where)).toEqual([]);
    server.child.kill("SIGTERM");
    await server.exit;
    expect(await everythingSaid(server, where)).toEqual([]);
  }, 120_000);

  test("is forgotten when that is wanted", async () => {
    const where = place();
    const server = await launch(where).ready();
    const api = await echoing();
    const page = await begun(server, await newPage());
    await generated(page, description(api.url));
    await connectByFrame(page);
    await page.getByRole("button", { name: /^Live: / }).click();
    await page.getByRole("button", { name: "Disconnect and forget credentials" }).click();
    await page.getByRole("button", { name: "Sample data", exact: true }).waitFor();
    expect(await (await server.fetch("/preview/connections")).json()).toEqual({ connections: [] });
  }, 60_000);
});
