import { byId, element, setText } from "../element.js";
import { generate } from "./preview-server.js";

const MOST_BYTES = 50 * 1024 * 1024;
const MOST_LISTED = 12;
const PASTED = "the description that was pasted";

/** Where a new tab begins: with a description that is dropped, chosen or pasted, or with a session that is there. */
export class StartView {
  #on;

  /** `on`: begun({sessionId, title}) when an interface is being made. */
  constructor(on) {
    this.#on = on;
    const zone = byId("start");
    byId("description-file").addEventListener("change", ({ target }) => {
      this.takeFile(target.files[0]);
      target.value = "";
    });
    byId("paste-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const { value } = byId("description-text");
      if (value.trim() !== "") this.#begin(PASTED, value);
    });
    for (const name of ["dragover", "dragleave", "drop"]) {
      zone.addEventListener(name, (event) => {
        event.preventDefault();
        zone.dataset.over = String(name === "dragover");
        if (name === "drop") this.takeFile(event.dataTransfer.files[0]);
      });
    }
  }

  /** Also of a session that is there: its interface is made anew then. */
  async takeFile(file, sessionId) {
    if (!file) return;
    if (file.size > MOST_BYTES) return this.#say("A description has at most 50 MB.");
    await this.#begin(file.name, file, sessionId);
  }

  showSessions(sessions, open) {
    byId("recent").hidden = sessions.length === 0;
    byId("recent-list").replaceChildren(
      ...sessions.slice(0, MOST_LISTED).map((session) => {
        const title = session.title ?? session.lastPrompt ?? session.sessionId.slice(0, 8);
        const click = () => open(session.sessionId, session.title);
        return element("li", {}, element("button", { type: "button", class: "link", on: { click } }, title));
      }),
    );
  }

  async #begin(name, text, sessionId) {
    this.#say("");
    byId("start").ariaBusy = "true";
    try {
      const begun = await generate({ name, text, sessionId });
      byId("description-text").value = "";
      this.#on.begun({
        ...begun,
        title: name === PASTED ? undefined : name.replace(/\.(ya?ml|json|graphqls?|gql)$/i, ""),
      });
    } catch (error) {
      this.#say(error.message);
    } finally {
      byId("start").ariaBusy = "false";
    }
  }

  #say(words) {
    setText(byId("start-problem"), words);
  }
}
