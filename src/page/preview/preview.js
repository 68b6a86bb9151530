import { byId, element, setText } from "../element.js";
import { whoAmI } from "../server.js";
import { addressOf, tabsInAddress } from "./address.js";
import { openConnection } from "./connection-dialog.js";
import { DebugDrawer } from "./debug-drawer.js";
import { exportCode } from "./export-code.js";
import { generateFrom, StartView } from "./start-view.js";
import { studioCalls } from "./studio.js";
import { Tab } from "./tab.js";
import { openVersions } from "./versions-dialog.js";
import { Wire } from "./wire.js";

const otherTabs = new BroadcastChannel("dragoman"); // of the browser: the sign-in is that of all of them
const drawer = new DebugDrawer();
const start = new StartView({ begun });
const tabs = new Map();
let active;
let wire;
let calls;
let mayPrompt = false;

async function begin() {
  const me = await whoAmI().catch(() => undefined);
  byId("signed-out").hidden = me !== undefined;
  byId("work").hidden = me === undefined;
  if (!me || wire) return;
  otherTabs.postMessage("signed in");
  mayPrompt = me.roles.some((role) => role === "admin" || role === "prompt");
  start.mayAllow = me.roles.includes("admin");
  for (const id of ["new-description", "update"]) byId(id).hidden = !mayPrompt;
  wire = new Wire({
    opened: () => opened().catch(({ message }) => trouble(message)),
    lost: () => trouble("The connection to the server is lost; trying again …"),
    failed: () => begin(), // the sign-in may have ended
    signedOut,
    told: (method, params) => tabs.get(params.sessionId)?.told(method, params),
  });
  calls = studioCalls(wire);
}

function signedOut() {
  wire = undefined;
  for (const id of [...tabs.keys()]) close(id, { keepsAddress: true });
  begin();
}

async function opened() {
  trouble("");
  if (tabs.size > 0) await Promise.all([...tabs.values()].map((tab) => tab.reopen()));
  else followAddress();
  start.showSessions(await calls.sessions(), (sessionId, title) => open({ sessionId, title }));
}

const trouble = (words) => setText(byId("trouble"), words);

function followAddress() {
  const named = tabsInAddress(location.hash);
  for (const sessionId of named.tabs) if (!tabs.has(sessionId)) add({ sessionId });
  activate(named.active);
}

function begun({ sessionId, title }) {
  open({ sessionId, title, isNew: true });
}

async function update(sessionId, file) {
  trouble("");
  await generateFrom({ name: file.name, text: file, sessionId });
}

function open({ sessionId, title, isNew }) {
  if (!tabs.has(sessionId)) add({ sessionId, title, isNew });
  activate(sessionId);
}

function add({ sessionId, title, isNew = false }) {
  const tab = new Tab({
    sessionId,
    title,
    calls,
    theme: themeChosen(),
    mayPrompt,
    on: {
      changed: () => draw(),
      connect: () => connectActive(),
      logged: () => drawer.show(tabs.get(active)),
      requested: () => drawer.show(tabs.get(active)),
    },
  });
  tabs.set(sessionId, tab);
  tab.setWidth(byId("width").value);
  tab.setHidden(true);
  tab.open({ isNew }).catch(({ message }) => {
    if (tabs.get(sessionId) !== tab) return;
    close(sessionId);
    trouble(message);
  });
}

function activate(sessionId) {
  active = tabs.has(sessionId) ? sessionId : undefined;
  for (const [id, tab] of tabs) tab.setHidden(id !== active);
  byId("start").hidden = active !== undefined;
  byId("tools").hidden = active === undefined;
  const address = addressOf({ active, tabs: [...tabs.keys()] });
  if (location.hash !== address && !(location.hash === "" && address === "#")) history.replaceState(null, "", address);
  draw();
  drawer.show(tabs.get(active));
}

function close(sessionId, { keepsAddress = false } = {}) {
  const ids = [...tabs.keys()];
  const next = ids[ids.indexOf(sessionId) + 1] ?? ids[ids.indexOf(sessionId) - 1];
  tabs.get(sessionId)?.close();
  tabs.delete(sessionId);
  calls?.unwatch(sessionId).catch(() => {});
  if (!keepsAddress) activate(active === sessionId ? next : active);
}

function draw() {
  drawTabs();
  const tab = tabs.get(active);
  document.title = tab ? `${tab.title} · Preview` : "Preview · Dragoman";
  if (!tab) return;
  const { connection, versions, shown, latest } = tab;
  const hasOne = versions.length > 0;
  for (const id of ["versions", "export", "update", "width", "theme"]) byId(id).disabled = !hasOne;
  byId("connection").disabled = !tab.about;
  const isLive = connection.mode === "live";
  byId("connection").dataset.mode = connection.mode;
  setText(byId("connection"), isLive ? `Live: ${new URL(connection.server).host}` : "Sample data");
  const ofAll = shown === latest ? "" : ` of ${latest}`;
  setText(byId("versions"), hasOne ? `Version ${shown}${ofAll}` : "No version yet");
  byId("main").ariaBusy = String(tab.isBusy);
}

/** Drawn again only where something is different, so that what has the focus keeps it. */
function drawTabs() {
  const list = byId("tabs");
  const looks = JSON.stringify([...tabs].map(([id, tab]) => [id, tab.title, id === active, tab.isBusy]));
  if (list.dataset.looks === looks) return;
  list.dataset.looks = looks;
  const focused = document.activeElement?.closest?.("#tabs [data-tab]")?.dataset.tab;
  list.replaceChildren(...[...tabs.values()].map(tabItem));
  if (focused) (list.querySelector(`[data-tab="${focused}"]`) ?? byId("new-tab")).focus();
}

function tabItem({ sessionId, title, isBusy }) {
  const shown = {
    type: "button",
    class: "tab-name",
    "data-tab": sessionId,
    "aria-current": sessionId === active && "true",
  };
  const go = element("button", { ...shown, on: { click: () => activate(sessionId) } }, isBusy ? `${title} …` : title);
  const ended = { type: "button", class: "tab-close", "aria-label": `Close ${title}` };
  return element("li", {}, go, element("button", { ...ended, on: { click: () => close(sessionId) } }, "×"));
}

const themeChosen = () => byId("theme").value || null;

function connectActive() {
  const tab = tabs.get(active);
  if (tab?.about) openConnection(tab);
}

byId("new-tab").addEventListener("click", () => activate(undefined));
byId("connection").addEventListener("click", connectActive);
byId("versions").addEventListener("click", () => openVersions(tabs.get(active), calls, { mayRevert: mayPrompt }));
byId("export").addEventListener("click", () => {
  exportCode(tabs.get(active), calls).catch(({ message }) => trouble(message));
});
byId("update-file").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  if (file) update(active, file).catch(({ message }) => trouble(message));
  target.value = "";
});
byId("update").addEventListener("click", () => byId("update-file").click());
byId("debug-toggle").addEventListener("click", () => drawer.toggle());
byId("theme").addEventListener("change", () => {
  for (const tab of tabs.values()) tab.setTheme(themeChosen());
});
byId("width").addEventListener("change", ({ target }) => {
  for (const tab of tabs.values()) tab.setWidth(target.value);
});
for (const view of ["chat", "interface"]) {
  byId(`see-${view}`).addEventListener("click", () => {
    byId("main").dataset.view = view;
    for (const one of ["chat", "interface"]) byId(`see-${one}`).setAttribute("aria-pressed", String(one === view));
  });
}
addEventListener("hashchange", followAddress);
addEventListener("focus", () => begin());
otherTabs.onmessage = () => begin();

begin();
