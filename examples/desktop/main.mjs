// The main process: it keeps the runtime, and shows what the desk says. Nothing of the page, and nothing that is generated, gets to Node.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { StudioHost } from "dragoman/clients/studio";
import { app, BrowserWindow, dialog, ipcMain, protocol, session } from "electron";
import { Desk } from "./desk.mjs";
import { interfacePage } from "./interface-page.mjs";

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const DRAW_MS = 50;

protocol.registerSchemesAsPrivileged([{ scheme: "interface", privileges: { standard: true } }]);

const about = { clientName: "dragoman-desktop", clientVersion: app.getVersion(), capabilities: { asks: true } };
// The runtime sees what is named here and the usual few, and nothing else of this process's environment.
const host = new StudioHost(about, { env: { allow: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GITHUB_TOKEN"] } });
const desk = new Desk(host, () => drawSoon());
let window = /** @type {BrowserWindow | undefined} */ (undefined);
let isDrawn = true;
let isStopped = false;

const view = () => ({ ...desk.view, state: host.state, log: host.log.slice(-200) });

/** Pieces come faster than anybody reads. */
function drawSoon() {
  if (!isDrawn) return;
  isDrawn = false;
  setTimeout(() => {
    isDrawn = true;
    if (window && !window.isDestroyed()) window.webContents.send("changed", view());
  }, DRAW_MS);
}

async function openDescription() {
  const filters = [{ name: "OpenAPI, Swagger, GraphQL", extensions: ["yaml", "yml", "json", "graphql", "gql"] }];
  const { filePaths } = await dialog.showOpenDialog({
    defaultPath: here("pets.yaml"),
    filters,
    properties: ["openFile"],
  });
  const [path] = filePaths;
  if (path === undefined) return;
  await desk.generate(desk.open({ name: basename(path), text: await readFile(path, "utf8") }));
}

/** What the page may ask for. */
const handlers = /** @type {Record<string, (...args: any[]) => unknown>} */ ({
  view,
  open: openDescription,
  close: (tab) => desk.close(tab),
  customize: (tab, prompt) => desk.customize(tab, String(prompt)),
  chat: (tab, message) => desk.chat(tab, String(message)),
  choose: (tab, at, option) => desk.choose(tab, at, String(option)),
  rollback: (tab, number) => desk.rollback(tab, number),
  answer: (askId, ok) => desk.answer(askId, ok === true),
  start: () => host.start(),
});

function serve() {
  ipcMain.handle("desk", (event, name, ...args) => {
    const isOurs = event.senderFrame === window?.webContents.mainFrame;
    if (!isOurs || !Object.hasOwn(handlers, name)) throw new Error(`There is no ${name} here.`);
    return handlers[name]?.(...args);
  });
  // Each version has an address of its own, so its page has a policy of its own, too.
  protocol.handle("interface", async ({ url }) => {
    const { hostname, pathname } = new URL(url);
    const code = desk.codeOf(hostname, Number(pathname.slice(1)));
    if (code === undefined) return new Response("There is no such version.", { status: 404 });
    const { html, policy } = await interfacePage(code);
    return new Response(html, {
      headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
    });
  });
  session.defaultSession.setPermissionRequestHandler((_, __, decide) => decide(false));
}

async function show() {
  const webPreferences = {
    preload: here("preload.cjs"),
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
  };
  window = new BrowserWindow({ width: 1280, height: 860, webPreferences });
  window.webContents.setWindowOpenHandler(() => ({ action: "deny" }));
  window.webContents.on("will-navigate", (event) => event.preventDefault());
  await window.loadFile(here("index.html"));
}

app.whenReady().then(async () => {
  serve();
  host.on("log", drawSoon);
  await show();
  await host.start().catch(() => {}); // the page shows the state and the debug console, and offers to start it
});
app.on("window-all-closed", () => app.quit());
app.on("before-quit", (event) => {
  if (isStopped) return;
  event.preventDefault();
  host.stop().finally(() => {
    isStopped = true;
    app.quit();
  });
});
