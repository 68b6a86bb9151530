import { byId, setText } from "./element.js";
import { EngineChoice } from "./engine-choice.js";
import { Lookout } from "./lookout.js";
import { OpenSession } from "./open-session.js";
import { call, signIn, signOut, whoAmI } from "./server.js";
import { SessionList } from "./session-list.js";
import { SessionNames } from "./session-names.js";

const LOOK_MS = 2000;
/** A page that nobody sees only has its title to keep right. */
const UNSEEN_LOOK_MS = 15_000;
const MOST_SESSIONS = 100;
const TITLE = document.title;

const list = new SessionList(byId("sessions"));
const lookout = new Lookout(look);
const names = new SessionNames();
const engineChoice = new EngineChoice({
  engine: byId("new-engine"),
  model: byId("new-model"),
  note: byId("models-note"),
});
/** The sign-in is that of all of them. */
const otherTabs = new BroadcastChannel("dragoman");
let me;
let open;
let sessions = [];
/** The folder that is served. */
let served;
/** Not when the server was away: it may have others when it is back. */
let knowsEngines = false;
/** The session of the address, when there is none, and why. */
let missing;

const may = (role) => me !== undefined && (me.roles.includes("admin") || me.roles.includes(role));

/** The one thing that is taken from the page's address. */
function sessionInHash() {
  const [, id] = /^#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(location.hash) ?? [];
  return id;
}

/** Looks who we are and what there is; again and again while someone is signed in. */
async function look() {
  try {
    const wasSignedIn = me !== undefined;
    me ??= await whoAmI();
    if (!me) return showSignIn();
    if (!wasSignedIn) otherTabs.postMessage("signed in");
    await show();
    loadEngines();
    setText(byId("trouble"), "");
  } catch (error) {
    knowsEngines = false;
    if (error.status === 401) showSignIn();
    else setText(byId(me ? "trouble" : "sign-in-error"), error.message);
  }
  return me && (document.hidden ? UNSEEN_LOOK_MS : LOOK_MS);
}

async function show() {
  ({ sessions, workspace: served } = await call("session.list", { limit: MOST_SESSIONS }));
  if (me) keepFocus("main", showSignedIn); // else signed out meanwhile
}

/** Nobody waits for it. */
async function loadEngines() {
  if (knowsEngines || !may("prompt")) return;
  knowsEngines = true;
  await engineChoice.load().catch(() => {
    knowsEngines = false;
  });
}

function showSignedIn() {
  const roles = me.roles.join(", ");
  setText(byId("who"), roles === me.name ? roles : `${me.name} (${roles})`);
  for (const id of ["sign-out", "signed-in"]) byId(id).hidden = false;
  byId("sign-in").hidden = true;
  for (const id of ["new-session", "new-session-with"]) byId(id).hidden = !may("prompt");
  byId("no-sessions").hidden = sessions.length > 0;
  showCurrent();
}

function showCurrent() {
  const id = me && sessionInHash();
  const listed = sessions.find(({ sessionId }) => sessionId === id);
  if (listed || missing?.id !== id) missing = undefined;
  const shownId = missing ? undefined : id;
  if (open?.id !== shownId) {
    open?.close();
    open = shownId && new OpenSession(shownId, optionsOf(shownId));
  }
  byId("signed-in").dataset.shows = id ? "session" : "list";
  byId("session").hidden = !open;
  showNothing();
  open?.describe(listed);
  list.show(sessions, { current: shownId, names, served });
  document.title = sessions.some(({ status }) => status === "waiting") ? `Waits for an answer · ${TITLE}` : TITLE;
}

function optionsOf(id) {
  const gone = (why) => {
    missing = { id, why };
    keepFocus("main", showCurrent);
  };
  return { mayPrompt: may("prompt"), mayApprove: may("approve"), names, changed: () => lookout.soon(), gone };
}

/** What is said in the place of a session. */
function showNothing() {
  byId("nothing").hidden = Boolean(open);
  byId("to-list").hidden = !missing;
  const pick = may("prompt") ? "Pick a session, or begin a new one." : "Pick a session.";
  setText(byId("nothing-says"), missing?.why ?? pick);
}

/** Whatever is hidden loses the focus; it goes to the element with that id then. */
function keepFocus(id, change) {
  const had = document.activeElement;
  change();
  if (had && !had.checkVisibility()) byId(id).focus();
}

function showSignIn() {
  if (me)
    setText(byId("sign-in-why"), "You are signed out: your sign-in has ended, or its token does not hold any more.");
  me = undefined;
  sessions = [];
  knowsEngines = false;
  engineChoice.forget();
  keepFocus("token", () => {
    showCurrent();
    for (const id of ["sign-out", "signed-in"]) byId(id).hidden = true;
    byId("sign-in").hidden = false;
  });
  names.forget();
  setText(byId("who"), "");
}

byId("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("token");
  try {
    await signIn(field.value.trim());
    field.value = "";
    setText(byId("sign-in-error"), "");
    await lookout.now();
  } catch (error) {
    setText(byId("sign-in-error"), error.message);
    field.select();
  }
});

byId("sign-out").addEventListener("click", async () => {
  await signOut().catch(() => {}); // whoever cannot be told is not signed in
  me = undefined;
  byId("prompt").value = "";
  setText(byId("sign-in-why"), "You are signed out.");
  showSignIn();
  otherTabs.postMessage("signed out");
  await lookout.now(); // it was, if the server says so
});

byId("new-session").addEventListener("click", async () => {
  try {
    const { sessionId } = await call("session.create", engineChoice.chosen);
    location.hash = sessionId;
    await lookout.now();
    byId("prompt").focus();
  } catch (error) {
    setText(byId("trouble"), error.message);
  }
});

byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is the session's
  byId(me ? "main" : "token").focus();
});

addEventListener("hashchange", () => {
  keepFocus("main", showCurrent);
  if (!open && document.activeElement === document.body) byId("sessions").focus();
});
addEventListener("focus", () => lookout.now());
otherTabs.onmessage = () => lookout.now();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) lookout.now();
});

lookout.now();
