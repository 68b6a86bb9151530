import { byId, element, setText } from "../element.js";
import { clearRequests, requestsOf } from "./preview-server.js";

/** What the interface asked its API, and what it wrote to its console. */
export class DebugDrawer {
  #tab;
  #view = "requests";
  #isDue = false;
  #draws = 0;

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
    if (isOpen) this.#draw();
    else byId("debug-toggle").focus();
  }

  show(tab) {
    this.#tab = tab;
    this.#draw();
  }

  /** There is more of it. However much that is, it is drawn once for each picture that the browser makes. */
  changed(tab, view) {
    if (this.#isDue || !this.isOpen || tab !== this.#tab || view !== this.#view) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  async #draw() {
    if (!this.isOpen) return;
    this.#draws += 1;
    const own = this.#draws;
    for (const view of ["requests", "messages"]) {
      byId(`debug-${view}`).setAttribute("aria-pressed", String(view === this.#view));
    }
    const { items, none } = await contents[this.#view](this.#tab);
    if (own !== this.#draws) return; // something else is to be seen by now
    const open = new Set([...byId("debug-list").querySelectorAll("details[open]")].map(({ dataset }) => dataset.id));
    byId("debug-list").replaceChildren(...items);
    for (const one of byId("debug-list").querySelectorAll("details")) one.open = open.has(one.dataset.id);
    setText(byId("debug-none"), items.length > 0 ? "" : none);
  }

  #choose(view) {
    this.#view = view;
    this.#draw();
  }

  async #clear() {
    if (!this.#tab) return;
    if (this.#view === "messages") this.#tab.logged = [];
    else await clearRequests(this.#tab.sessionId).catch(() => {}); // what is still there is seen
    this.#draw();
  }
}

/** What is to be seen of a tab, and what is said where that is nothing. */
const contents = {
  messages: (tab) => ({
    items: (tab?.logged ?? []).toReversed().map(messageItem),
    none: "The interface has written nothing.",
  }),
  requests: async (tab) => {
    try {
      const requests = tab ? await requestsOf(tab.sessionId) : [];
      const none = "No requests yet. There are some when the interface is connected to its API.";
      return { items: requests.toReversed().map(requestItem), none };
    } catch (error) {
      return { items: [], none: `The requests cannot be had: ${error.message}` };
    }
  },
};

function messageItem({ at, level, text }) {
  return element(
    "li",
    { class: `logged ${level}` },
    element("span", { class: "quiet" }, `${new Date(at).toLocaleTimeString()} ${level} `),
    element("span", { class: "text" }, text),
  );
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
