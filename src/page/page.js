import { byId, setText } from "./element.js";
import { OpenSession } from "./open-session.js";
import { call, signIn, signOut, whoAmI } from "./server.js";
import { SessionList } from "./session-list.js";

const LOOK_MS = 2000;
const MOST_SESSIONS = 100;

const list = new SessionList(byId("sessions"));
/** The sign-in is that of all of them. */
const otherTabs = new BroadcastChannel("dragoman");
let me;
let open;
let sessions = [];
let looking;

const may = (role) => me !== undefined && (me.roles.includes("admin") || me.roles.includes(role));

/** The one thing that is taken from the page's address. */
function sessionInHash() {
  const [, id] = /^#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(location.hash) ?? [];
  return id;
}

/** Looks who we are and what there is; again and again while someone is signed in and the page is seen. */
async function look() {
  clearTimeout(looking);
  try {
    const wasSignedIn = me !== undefined;
    me ??= await whoAmI();
    if (!me) return showSignIn();
    if (!wasSignedIn) otherTabs.postMessage("signed in");
    await show();
    setText(byId("trouble"), "");
  } catch (error) {
    if (error.status === 401) showSignIn();
    else setText(byId(me ? "trouble" : "sign-in-error"), error.message);
  }
  clearTimeout(looking); // another look may have begun meanwhile
  if (me && !document.hidden) looking = setTimeout(look, LOOK_MS);
}

async function show() {
  ({ sessions } = await call("session.list", { limit: MOST_SESSIONS }));
  if (!me) return; // signed out meanwhile
  const roles = me.roles.join(", ");
  setText(byId("who"), roles === me.name ? roles : `${me.name} (${roles})`);
  for (const id of ["sign-out", "signed-in"]) byId(id).hidden = false;
  byId("sign-in").hidden = true;
  byId("new-session").hidden = !may("prompt");
  byId("no-sessions").hidden = sessions.length > 0;
  showCurrent();
}

function showCurrent() {
  const id = me && sessionInHash();
  if (open?.id !== id) {
    open?.close();
    open = id && new OpenSession(id, { mayPrompt: may("prompt"), mayApprove: may("approve"), look });
    byId("session").hidden = !id;
    byId("nothing").hidden = Boolean(id);
  }
  open?.describe(sessions.find(({ sessionId }) => sessionId === id));
  list.show(sessions, id);
}

function showSignIn() {
  if (me) setText(byId("sign-in-why"), "You are signed out: the server was started anew, or your sign-in has ended.");
  me = undefined;
  open?.close();
  open = undefined;
  for (const id of ["sign-out", "signed-in"]) byId(id).hidden = true;
  byId("sign-in").hidden = false;
  setText(byId("who"), "");
}

byId("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("token");
  try {
    await signIn(field.value.trim());
    field.value = "";
    setText(byId("sign-in-error"), "");
    await look();
  } catch (error) {
    setText(byId("sign-in-error"), error.message);
    field.select();
  }
});

byId("sign-out").addEventListener("click", async () => {
  await signOut().catch(() => {}); // whoever cannot be told is not signed in
  me = undefined;
  setText(byId("sign-in-why"), "You are signed out.");
  await look();
});

byId("new-session").addEventListener("click", async () => {
  try {
    const { sessionId } = await call("session.create");
    location.hash = sessionId;
    await look();
    byId("prompt").focus();
  } catch (error) {
    setText(byId("trouble"), error.message);
  }
});

byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is the session's
  byId(me ? "main" : "token").focus();
});

addEventListener("hashchange", showCurrent);
addEventListener("focus", look);
otherTabs.onmessage = look;
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) look();
});

look();
