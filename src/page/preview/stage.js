import { element } from "../element.js";
import { plainText } from "../plain-text.js";
import { FrameHost } from "./frame-host.js";
import { saveFile } from "./save-file.js";

/** The place where an interface is shown. A new version takes the place of the one before it when it is there to be seen. */
export class Stage {
  box;
  #on;
  #room = element("div", { class: "room" });
  #notice = element("p", { class: "notice-line", role: "status" });
  #overlay = element("div", { class: "overlay", role: "status" });
  #told;
  #shown;
  #next;
  #hash = "";
  #isHidden = false;
  #width = "";
  #noticeTimer;

  /** `on`: request, log, connect, and shown(version), as a frame tells them. */
  constructor({ told, on }) {
    this.#told = told;
    this.#on = on;
    this.box = element("div", { class: "stage" }, this.#room, this.#overlay, this.#notice);
    this.say("");
  }

  /** In place of an interface, while there is none. */
  say(words, ...more) {
    this.#overlay.hidden = words === "";
    this.#overlay.replaceChildren(...(words === "" ? [] : [element("p", {}, words), ...more]));
  }

  show({ sessionId, version, title }) {
    this.#next?.frame.close();
    const query = new URLSearchParams({ session: sessionId, version: String(version) });
    const about = { sessionId, version, title };
    const frame = new FrameHost({
      src: `/preview/frame?${query}${this.#hash}`,
      title: `${title}, version ${version}`,
      told: this.#told,
      on: {
        ...this.#on,
        shown: () => this.#take(frame, about),
        stopped: (why) => this.#stopped(frame, about, why),
        route: (hash) => {
          if (/^#\/[^\s"<>]*$/.test(hash)) this.#hash = hash;
        },
        link: (address) => this.#note(`Links are not followed in the preview: ${address}`),
        save: (name, file) => this.#offer(name, file),
      },
    });
    frame.box.dataset.version = String(version);
    frame.box.style.maxWidth = this.#width;
    this.#next = { frame, ...about };
    if (!this.#shown) this.say("Preparing the interface …");
    this.#room.append(frame.box);
  }

  tell(told) {
    this.#told = { ...this.#told, ...told };
    for (const one of [this.#shown, this.#next]) one?.frame.tell(told);
  }

  setHidden(isHidden) {
    this.#isHidden = isHidden;
    for (const one of [this.#shown, this.#next]) one?.frame.setHidden(isHidden);
  }

  /** As on a smaller screen; an empty text is all there is. */
  setWidth(width) {
    this.#width = width;
    for (const one of [this.#shown, this.#next]) if (one) one.frame.box.style.maxWidth = width;
  }

  close() {
    for (const one of [this.#shown, this.#next]) one?.frame.close();
    clearTimeout(this.#noticeTimer);
    this.box.remove();
  }

  #take(frame, about) {
    if (this.#next?.frame !== frame) return;
    const hadFocus = document.activeElement === this.#shown?.frame.box;
    this.#shown?.frame.close();
    this.#shown = this.#next;
    this.#next = undefined;
    if (hadFocus) frame.box.focus();
    this.say("");
    if (this.#isHidden) frame.setHidden(true);
    this.#on.shown(about.version);
  }

  #stopped(frame, about, why) {
    if (this.#next?.frame === frame) this.#next = undefined;
    if (this.#shown?.frame === frame) this.#shown = undefined;
    this.#on.log("error", why);
    const again = () => this.show(about);
    const button = element("button", { type: "button", class: "primary", on: { click: again } }, "Load it again");
    if (this.#shown) this.#note(`Version ${about.version} cannot be shown: ${why}`);
    else this.say(why, button);
  }

  /** What an interface wants to save is saved when the person says so, and not before. */
  #offer(name, file) {
    if (!(file instanceof Blob)) return;
    const save = () => {
      saveFile(name, file);
      this.#note("");
    };
    const button = element("button", { type: "button", class: "small", on: { click: save } }, "Save");
    this.#note(`The interface has a file for you: ${name} (${file.size} bytes) `, button);
  }

  #note(words, ...more) {
    this.#notice.replaceChildren(...(words === "" ? [] : [plainText(words), ...more]));
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => this.#note(""), NOTICE_MS);
  }
}

const NOTICE_MS = 20_000;
