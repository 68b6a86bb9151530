import { element } from "../element.js";
import { FrameHost } from "./frame-host.js";
import { Notices } from "./notices.js";
import { saveFile } from "./save-file.js";

const MOST_FILES = 3;

/** The place where an interface is shown. A new version takes the place of the one before it when it is there to be seen. */
export class Stage {
  box;
  notices = new Notices();
  #on;
  #room = element("div", { class: "room" });
  #overlay = element("div", { class: "overlay", role: "status" });
  #toldOf;
  #shown;
  #next;
  #hash = "";
  #isHidden = false;
  #width = "";

  /**
   * `toldOf(version)`: the theme and the connection that a version is told of. `on`: request, log, connect, and shown(version), as a frame
   * tells them.
   */
  constructor({ toldOf, on }) {
    this.#toldOf = toldOf;
    this.#on = on;
    this.box = element("div", { class: "stage" }, this.#room, this.#overlay, this.notices.box);
    this.say("");
  }

  /** Whether a version is there to be seen, or about to be. */
  get isTaken() {
    return this.#frames.length > 0;
  }

  get #frames() {
    return [this.#shown, this.#next].filter(Boolean);
  }

  /** In place of an interface, while there is none. */
  say(words, ...more) {
    this.#overlay.hidden = words === "";
    this.#overlay.replaceChildren(...(words === "" ? [] : [element("p", {}, words), ...more]));
  }

  show({ sessionId, version, title }) {
    this.#next?.frame.close();
    this.notices.withdraw("stopped");
    const query = new URLSearchParams({ session: sessionId, version: String(version) });
    const about = { sessionId, version, title };
    const frame = new FrameHost({
      src: `/preview/frame?${query}${this.#hash}`,
      title: `${title}, version ${version}`,
      told: this.#toldOf(version),
      on: {
        ...this.#on,
        shown: () => this.#take(frame, about),
        stopped: (why) => this.#stopped(frame, about, why),
        route: (hash) => {
          if (/^#\/[^\s"<>]*$/.test(hash)) this.#hash = hash;
        },
        link: (address) => this.notices.say(`Links are not followed in the preview: ${address}`),
        save: (name, file) => this.#offer(name, file),
      },
    });
    frame.box.dataset.version = String(version);
    frame.box.style.maxWidth = this.#width;
    this.#next = { frame, ...about };
    if (!this.#shown) this.say("Preparing the interface …");
    this.#room.append(frame.box);
    frame.setHidden(this.#isHidden);
  }

  /** What has changed of what a version is told of is told now. */
  tell() {
    for (const { frame, version } of this.#frames) frame.tell(this.#toldOf(version));
  }

  setHidden(isHidden) {
    this.#isHidden = isHidden;
    for (const { frame } of this.#frames) frame.setHidden(isHidden);
  }

  /** As on a smaller screen; an empty text is all there is. */
  setWidth(width) {
    this.#width = width;
    for (const { frame } of this.#frames) frame.box.style.maxWidth = width;
  }

  close() {
    for (const { frame } of this.#frames) frame.close();
    this.notices.close();
    this.box.remove();
  }

  #take(frame, { version }) {
    if (this.#next?.frame !== frame) return;
    const hadFocus = document.activeElement === this.#shown?.frame.box;
    this.#shown?.frame.close();
    this.#shown = this.#next;
    this.#next = undefined;
    if (hadFocus) frame.box.focus();
    this.say("");
    this.#on.shown(version);
  }

  #stopped(frame, about, why) {
    if (this.#next?.frame === frame) this.#next = undefined;
    if (this.#shown?.frame === frame) this.#shown = undefined;
    this.#on.log("error", why);
    const again = { label: "Load it again", act: () => this.show(about) };
    if (this.#shown) return this.notices.offer("stopped", `Version ${about.version} cannot be shown: ${why}`, again);
    const button = { type: "button", class: "primary", on: { click: again.act } };
    this.say(why, element("button", button, again.label));
  }

  /** What an interface wants to save is saved when the person says so, and not before. It does not fill the page with such lines. */
  #offer(name, file) {
    if (!(file instanceof Blob)) return;
    const keys = Array.from({ length: MOST_FILES }, (_, at) => `file ${at}`);
    const key = keys.find((one) => !this.notices.has(one));
    if (!key) return this.#on.log("warn", `A file was not offered, since ${MOST_FILES} are already: ${name}`);
    const words = `The interface has a file for you: ${name} (${file.size} bytes)`;
    this.notices.offer(key, words, { label: "Save", act: () => saveFile(name, file) });
  }
}
