import { byId, element, setText } from "../element.js";
import { clearRequests, requestsOf } from "./preview-server.js";

/** What the interface asked its API, and what it wrote to its console. */
export class DebugDrawer {
  #tab;
  #view = "requests";

  constructor() {
    for (const view of ["requests", "messages"]) {
      byId(`debug-${view}`).addEventListener("click", () => this.#choose(view));
    }
    byId("debug-clear").addEventListener("click", () => this.#clear());
    byId("debug-close").addEventListener("click", () => this.toggle(false));
  }

  get isOpen() {
    return !byId("debug").hidden;
  }

  toggle(isOpen = !this.isOpen) {
    byId("debug").hidden = !isOpen;
    byId("debug-toggle").setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.show(this.#tab);
    else byId("debug-toggle").focus();
  }

  async show(tab) {
    this.#tab = tab;
    if (!this.isOpen) return;
    for (const view of ["requests", "messages"]) {
      byId(`debug-${view}`).setAttribute("aria-pressed", String(view === this.#view));
    }
    const items = this.#view === "messages" ? messageItems(tab) : await requestItems(tab);
    if (tab !== this.#tab) return;
    const open = new Set([...byId("debug-list").querySelectorAll("details[open]")].map(({ dataset }) => dataset.id));
    byId("debug-list").replaceChildren(...items);
    for (const one of byId("debug-list").querySelectorAll("details")) one.open = open.has(one.dataset.id);
    setText(byId("debug-none"), items.length > 0 ? "" : noneWords[this.#view]);
  }

  #choose(view) {
    this.#view = view;
    this.show(this.#tab);
  }

  async #clear() {
    if (!this.#tab) return;
    if (this.#view === "messages") this.#tab.logged = [];
    else await clearRequests(this.#tab.sessionId).catch(() => {});
    this.show(this.#tab);
  }
}

const noneWords = {
  requests: "No requests yet. There are some when the interface is connected to its API.",
  messages: "The interface has written nothing.",
};

function messageItems(tab) {
  return (tab?.logged ?? [])
    .toReversed()
    .map(({ at, level, text }) =>
      element(
        "li",
        { class: `logged ${level}` },
        element("span", { class: "quiet" }, `${new Date(at).toLocaleTimeString()} ${level} `),
        element("span", { class: "text" }, text),
      ),
    );
}

async function requestItems(tab) {
  const requests = tab ? await requestsOf(tab.sessionId).catch(() => []) : [];
  return requests.toReversed().map(requestItem);
}

function requestItem({ id, at, method, url, status, error, ms, request, answer }) {
  const outcome = status === undefined ? "failed" : String(status);
  const isBad = status === undefined || status >= 400;
  const summary = element(
    "summary",
    {},
    element("span", { class: isBad ? "outcome bad" : "outcome" }, outcome),
    ` ${method} `,
    element("code", {}, url),
    element("span", { class: "quiet" }, ` ${ms} ms · ${new Date(at).toLocaleTimeString()}`),
  );
  const parts = [
    ...(error ? [element("p", { class: "error" }, error)] : []),
    partOf("Request", request),
    ...(answer ? [partOf("Answer", answer)] : []),
  ];
  return element("li", {}, element("details", { "data-id": String(id) }, summary, ...parts));
}

function partOf(title, { headers, bytes, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return element(
    "div",
    {},
    element("h4", {}, `${title} (${bytes} bytes)`),
    element("pre", {}, ...lines),
    ...(body ? [element("pre", {}, body)] : []),
  );
}
