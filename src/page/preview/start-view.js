import { byId, element, setText } from "../element.js";
import { generate } from "./preview-server.js";
import { whileBusy } from "./while-busy.js";

const MOST_BYTES = 50 * 1024 * 1024;
const MOST_LISTED = 12;
const PASTED = "the description that was pasted";

/** Where a new tab begins: with a description that is dropped, chosen, at an address or pasted, or with a session that is there. */
export class StartView {
  /** Whether this person may have addresses inside of the network read. */
  mayAllow = false;
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
      if (value.trim() !== "") this.#begin({ name: PASTED, text: value }, "description-text");
    });
    const address = byId("description-address");
    const read = (more) => this.#begin({ address: address.value, ...more }, address.id);
    byId("address-form").addEventListener("submit", (event) => {
      event.preventDefault();
      read();
    });
    byId("read-inside").addEventListener("click", () => read({ inside: true }));
    address.addEventListener("input", () => this.#say(""));
    for (const name of ["dragover", "dragleave", "drop"]) {
      zone.addEventListener(name, (event) => {
        event.preventDefault();
        zone.dataset.over = String(name === "dragover");
        if (name === "drop") this.takeFile(event.dataTransfer.files[0]);
      });
    }
  }

  async takeFile(file) {
    if (file) await this.#begin({ name: file.name, text: file });
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

  /** `field`: the one that it was entered in, if it was. It is empty afterwards, and what else was entered stays. */
  async #begin(description, field) {
    const start = byId("start");
    if (start.ariaBusy === "true") return;
    this.#say("");
    start.ariaBusy = "true";
    try {
      const { sessionId } = await whileBusy(start.querySelectorAll("#new-description button"), () =>
        generateFrom(description),
      );
      if (field) byId(field).value = "";
      this.#on.begun({ sessionId, title: titleOf(description) });
    } catch (error) {
      this.#say(error.message);
      byId("read-inside").hidden = !(this.mayAllow && error.code === "denied" && !description.inside);
    } finally {
      start.ariaBusy = "false";
    }
  }

  #say(words) {
    setText(byId("start-problem"), words);
    byId("read-inside").hidden = true;
  }
}

/** Also in a session that is there: its interface is made anew then. */
export async function generateFrom(description) {
  if (description.text?.size > MOST_BYTES) throw new Error("A description has at most 50 MB.");
  return generate(description);
}

/** What a tab is called until the API's own name is known. */
function titleOf({ name, address }) {
  if (address !== undefined) return new URL(address).host;
  return name === PASTED ? undefined : name.replace(/\.(ya?ml|json|graphqls?|gql)$/i, "");
}
