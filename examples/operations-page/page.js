// A page on the client as it is built: no bundler, no framework. See README.md.
import { OperationsClient } from "./client/operations.js";
import { showMessage } from "./messages.js";

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const say = (/** @type {string} */ text) => (at("state").textContent = text);
const failed = (/** @type {Error} */ error) => say(error.message);
const SIGN_IN = "operations-sign-in";

/** Nobody but this tab, and only until it is closed, keeps the sign-in; the token itself is kept by nobody. */
async function signedIn() {
  const sessionId = sessionStorage.getItem(SIGN_IN);
  if (sessionId) return new OperationsClient({ url: location.origin, sessionId });
  const form = /** @type {HTMLFormElement} */ (at("sign-in"));
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  for (;;) {
    await new Promise((resolve) => form.addEventListener("submit", resolve, { once: true }));
    const client = new OperationsClient({
      url: location.origin,
      token: String(new FormData(form).get("token")).trim(),
    });
    try {
      sessionStorage.setItem(SIGN_IN, (await client.verify()).session_id);
      form.remove();
      return client;
    } catch (error) {
      failed(/** @type {Error} */ (error));
    }
  }
}

/** @param {OperationsClient} client */
async function listFeatures(client) {
  at("features").replaceChildren(
    ...(await client.features()).map(({ id, title }) => {
      const row = document.createElement("li");
      row.append(`${title ?? id} `);
      for (const kind of /** @type {const} */ (["clarify", "analyze", "plan"])) {
        const button = document.createElement("button");
        button.textContent = kind;
        button.onclick = () =>
          client.start(id, kind).then(({ operation_id }) => (location.hash = operation_id), failed);
        row.append(" ", button);
      }
      return row;
    }),
  );
}

/** @type {import("dragoman/clients/operations").OperationStream | undefined} */
let shown;

/** Shows an operation from its first message on, and goes on showing it through any number of lost connections. */
function watch(/** @type {OperationsClient} */ client, /** @type {string} */ id) {
  shown?.close();
  const stream = client.watch(id);
  shown = stream;
  const list = at("messages");
  list.replaceChildren();
  at("operation").hidden = false;
  at("recover").hidden = true;
  stream.on("message", (message) =>
    showMessage(list, message, (askId, answer) => stream.answer(askId, answer).catch(failed)),
  );
  stream.on("system", (message) => showMessage(list, message));
  stream.on("state", ({ state, inMs, error }) => {
    const when = inMs === undefined ? "" : ` in ${Math.ceil(inMs / 1000)} s`;
    say(error ? `${state}${when}: ${error.message}` : state);
  });
  stream.on("dropped", () => offerLost(stream, list));
}

/** What was left out because this page was slow is in the history. */
function offerLost(/** @type {NonNullable<typeof shown>} */ stream, /** @type {HTMLElement} */ list) {
  const button = /** @type {HTMLButtonElement} */ (at("recover"));
  button.hidden = false;
  button.textContent = "Show the thinking that was left out";
  button.onclick = async () => {
    button.hidden = true;
    try {
      const found = await stream.recover();
      if (stream === shown) for (const message of found) showMessage(list, message);
    } catch (error) {
      if (stream !== shown) return; // list and button are another operation's now
      button.hidden = false;
      failed(/** @type {Error} */ (error));
    }
  };
}

const client = await signedIn();
const show = () => location.hash.length > 1 && watch(client, location.hash.slice(1));
addEventListener("hashchange", show);
show();
await listFeatures(client).catch((error) => {
  if (error.code === "unauthorized") sessionStorage.removeItem(SIGN_IN); // it has ended: the next load asks
  failed(error);
});
