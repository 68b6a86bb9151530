import { byId, element } from "../element.js";

/** The names of the open tabs. */
export class TabStrip {
  #box = byId("tabs");
  #on;
  #looks = "";
  #order = [];

  /** `on`: activate(sessionId), close(sessionId). */
  constructor(on) {
    this.#on = on;
  }

  /** Drawn again only where something is different, so that what has the focus keeps it: it goes to a neighbour of what is gone. */
  draw(tabs, active) {
    const looks = JSON.stringify(tabs.map(({ sessionId, title, isBusy }) => [sessionId, title, isBusy, active]));
    if (this.#looks === looks) return;
    this.#looks = looks;
    const { tab, part } = document.activeElement?.closest("#tabs [data-tab]")?.dataset ?? {};
    const neighbour = this.#neighbourOf(tab);
    this.#order = tabs.map(({ sessionId }) => sessionId);
    this.#box.replaceChildren(...tabs.map((one) => this.#item(one, active)));
    if (tab) (this.#button(tab, part) ?? this.#button(neighbour, "name") ?? byId("new-tab")).focus();
  }

  #neighbourOf(sessionId) {
    const at = this.#order.indexOf(sessionId);
    return this.#order[at + 1] ?? this.#order[at - 1];
  }

  #button(sessionId, part) {
    return this.#box.querySelector(`[data-tab="${sessionId}"][data-part="${part}"]`);
  }

  #item({ sessionId, title, isBusy }, active) {
    const name = { class: "tab-name", "data-part": "name", "aria-current": sessionId === active && "true" };
    const end = { class: "tab-close", "data-part": "close", "aria-label": `Close ${title}` };
    const button = (shown, click, words) =>
      element("button", { type: "button", "data-tab": sessionId, ...shown, on: { click } }, words);
    return element(
      "li",
      {},
      button(name, () => this.#on.activate(sessionId), isBusy ? `${title} …` : title),
      button(end, () => this.#on.close(sessionId), "×"),
    );
  }
}
