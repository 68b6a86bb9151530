import { element } from "../element.js";

const SAID_MS = 20_000;

/** Lines over an interface: what happened, which goes by itself, and what can be done, which waits until the person has said so. */
export class Notices {
  box = element("div", { class: "notices", role: "status" });
  #said;
  #timer;
  #offers = new Map();

  say(words) {
    this.#unsay();
    this.#said = line(words);
    this.box.append(this.#said);
    this.#timer = setTimeout(() => this.#unsay(), SAID_MS);
  }

  /** Something that can be done once, or left. It takes the place of what was offered under that key. */
  offer(key, words, { label, act }) {
    this.withdraw(key);
    const done = () => {
      this.withdraw(key);
      act();
    };
    const go = element("button", { type: "button", class: "small", on: { click: done } }, label);
    const leave = { type: "button", class: "small", "aria-label": "Dismiss", on: { click: () => this.withdraw(key) } };
    const offered = line(words, go, element("button", leave, "×"));
    this.#offers.set(key, offered);
    this.box.append(offered);
  }

  withdraw(key) {
    this.#offers.get(key)?.remove();
    this.#offers.delete(key);
  }

  has(key) {
    return this.#offers.has(key);
  }

  close() {
    clearTimeout(this.#timer);
  }

  #unsay() {
    clearTimeout(this.#timer);
    this.#said?.remove();
  }
}

/** An interface may have a hand in the words: however many they are, the buttons stay in sight. */
function line(words, ...buttons) {
  return element("div", { class: "row notice-line" }, element("p", {}, words), ...buttons);
}
