import { element, setText } from "../element.js";
import { EndInSight } from "../end-in-sight.js";
import { text } from "../shown-text.js";

/** What was said in a tab: by the person, and by whoever works for them. */
export class ChatView {
  box = element("div", { class: "chat-log", role: "log", "aria-label": "What was said", tabindex: "0" });
  #end = new EndInSight(this.box);

  /** Something that the person asked for. `state` may change; while it waits or is under way `stop` ends it. */
  asked(prompt, { stop } = {}) {
    const status = element("p", { class: "status", role: "status" });
    const button = element("button", { type: "button", class: "small", on: { click: () => stop?.() } }, "Cancel");
    const about = element("div", { class: "row", hidden: true }, status, button);
    this.#add(element("div", { class: "message user" }, text(prompt), about));
    return {
      setState: (words, { canStop = false, stopWord = "Cancel" } = {}) => {
        about.hidden = words === "";
        about.dataset.busy = String(canStop);
        setText(status, words);
        button.hidden = !canStop;
        setText(button, stopWord);
        this.#end.keep();
      },
      remove: () => about.parentElement.remove(),
    };
  }

  /** What came of it. */
  answered(description, { assumptions = [], version, show } = {}) {
    const assumed = assumptions.length > 0 ? [assumedList(assumptions)] : [];
    const shown = version === undefined ? [] : [versionLine(version, show)];
    this.#add(element("div", { class: "message" }, text(description), ...assumed, ...shown));
  }

  /** A question, with what can be answered to it. The first answer counts, unless it comes to nothing. */
  question(words, options, choose) {
    const buttons = options.map((option) =>
      element("button", { type: "button", on: { click: () => answer(option) } }, option),
    );
    const setClosed = (isClosed) => {
      for (const button of buttons) button.disabled = isClosed;
    };
    const answer = (option) => {
      setClosed(true);
      choose(option);
    };
    const choices = element("div", { class: "row choices" }, ...buttons);
    const hint = element("p", { class: "quiet" }, "Choose one, or answer in your own words below.");
    this.#add(element("div", { class: "message question" }, text(words), choices, hint));
    return { close: () => setClosed(true), reopen: () => setClosed(false) };
  }

  failed(message) {
    this.#add(element("div", { class: "message failed", role: "alert" }, text(message)));
  }

  /** A line of its own, such as what somebody else did. */
  note(words) {
    this.#add(element("p", { class: "line" }, words));
  }

  close() {
    this.#end.close();
  }

  #add(entry) {
    this.box.append(entry);
    this.#end.keep();
  }
}

function assumedList(assumptions) {
  const items = assumptions.map((one) => element("li", {}, one));
  return element("div", { class: "assumed" }, element("p", { class: "label" }, "Assumed"), element("ul", {}, ...items));
}

function versionLine(version, show) {
  const button = element("button", { type: "button", class: "small", on: { click: show } }, `Show version ${version}`);
  return element("div", { class: "row" }, button);
}
