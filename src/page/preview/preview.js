import { byId, setText } from "../element.js";
import { whoAmI } from "../server.js";
import { addressOf, MOST_TABS, tabsInAddress } from "./address.js";
import { openConnection } from "./connection-dialog.js";
import { DebugDrawer } from "./debug-drawer.js";
import { closeDialog, isDialogOpen } from "./dialog.js";
import { exportCode } from "./export-code.js";
import { generateFrom, StartView } from "./start-view.js";
import { studioCalls } from "./studio.js";
import { Tab } from "./tab.js";
import { TabStrip } from "./tab-strip.js";
import { openVersions } from "./versions-dialog.js";
import { Wire } from "./wire.js";

const AGAIN_MS = 2000;

const otherTabs = new BroadcastChannel("dragoman"); // of the browser: the sign-in is that of all of them
const drawer = new DebugDrawer();
const start = new StartView({ begun });
const strip = new TabStrip({ activate, close: (sessionId) => close(sessionId) });
const tabs = new Map();
let active;
let me;
let wire;
let calls;

/** The page is for whoever is signed in now. A server that cannot be reached has signed nobody out. */
async function begin() {
  let found;
  try {
    found = await whoAmI();
  } catch ({ message }) {
    if (!wire && byId("signed-out").hidden) waitForServer(message);
    return;
  }
  if (found?.name !== me?.name) leave();
  me = found && { ...found, mayPrompt: found.roles.some((role) => role === "admin" || role === "prompt") };
  byId("signed-out").hidden = me !== undefined;
  byId("work").hidden = me === undefined;
  if (me && !wire) dial();
}

function waitForServer(message) {
  byId("work").hidden = false;
  trouble(message);
  setTimeout(begin, AGAIN_MS);
}

function dial() {
  otherTabs.postMessage("signed in");
  start.mayAllow = me.roles.includes("admin");
  for (const id of ["new-description", "update"]) byId(id).hidden = !me.mayPrompt;
  wire = new Wire({
    opened: () => opened().catch(({ message }) => trouble(message)),
    lost: () => trouble("The connection to the server is lost; trying again …"),
    failed: () => begin(), // the sign-in may have ended
    signedOut: () => {
      leave();
      begin();
    },
    told: (method, params) => tabs.get(params.sessionId)?.told(method, params),
  });
  calls = studioCalls(wire);
}

/** Nothing of one person is left to the next. */
function leave() {
  wire?.close();
  wire = undefined;
  closeDialog();
  for (const id of [...tabs.keys()]) close(id, { keepsAddress: true });
  active = undefined;
  drawer.show(undefined);
  draw();
}

async function opened() {
  const own = wire;
  await begin(); // it may be somebody else who is signed in by now
  if (wire !== own) return;
  trouble("");
  if (tabs.size > 0) await Promise.all([...tabs.values()].map((tab) => tab.reopen()));
  else followAddress();
  listSessions().catch(({ message }) => trouble(message));
}

async function listSessions() {
  start.showSessions(await calls.sessions(), (sessionId, title) => open({ sessionId, title }));
}

const trouble = (words) => setText(byId("trouble"), words);

function followAddress() {
  const named = tabsInAddress(location.hash);
  for (const sessionId of named.tabs) if (!tabs.has(sessionId) && hasRoom()) add({ sessionId });
  activate(named.active);
}

function hasRoom() {
  if (tabs.size < MOST_TABS) return true;
  trouble(`${MOST_TABS} tabs are open, and no more can be. Close one first.`);
  return false;
}

function begun({ sessionId, title }) {
  open({ sessionId, title, isNew: true });
}

async function update(sessionId, file) {
  trouble("");
  await generateFrom({ name: file.name, text: file, sessionId });
}

function open({ sessionId, title, isNew }) {
  if (!tabs.has(sessionId)) {
    if (!hasRoom()) return;
    add({ sessionId, title, isNew });
  }
  activate(sessionId);
}

function add({ sessionId, title, isNew = false }) {
  const tab = new Tab({
    sessionId,
    title,
    calls,
    theme: themeChosen(),
    me,
    on: {
      changed: () => draw(),
      // An interface asks for it, whenever it likes.
      connect: () => {
        if (sessionId === active && !isDialogOpen()) connectActive();
      },
      logged: () => drawer.changed(tab, "messages"),
      requested: () => drawer.changed(tab, "requests"),
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
  if (keepsAddress) return;
  trouble("");
  activate(active === sessionId ? next : active);
}

function draw() {
  strip.draw([...tabs.values()], active);
  const tab = tabs.get(active);
  document.title = tab ? `${tab.title} · Preview` : "Preview · Dragoman";
  if (!tab) return;
  const { connection, versions, latest, shown = latest } = tab;
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

const themeChosen = () => byId("theme").value || null;

function connectActive() {
  const tab = tabs.get(active);
  if (tab?.about) openConnection(tab);
}

byId("new-tab").addEventListener("click", () => {
  if (hasRoom()) activate(undefined);
});
byId("connection").addEventListener("click", connectActive);
byId("versions").addEventListener("click", () => openVersions(tabs.get(active), calls, { mayRevert: me.mayPrompt }));
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
