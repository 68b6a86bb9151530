import { Asks } from "./asks.js";
import { byId, setText } from "./element.js";
import { derivedId, newId } from "./ids.js";
import { LiveStream } from "./live-stream.js";
import { call, whoAmI } from "./server.js";
import { Timeline } from "./timeline.js";

const stateWords = { live: "", lost: "The connection is lost; trying again …", ended: "This session has ended." };
const NOT_FOUND = "There is no such session. It was removed, or the link to it is wrong.";

/** The session that is shown: its stream, its questions, and what can be done to it. */
export class OpenSession {
  id;
  #options;
  #timeline = new Timeline(byId("timeline"));
  #asks;
  #stream;
  #leaving = new AbortController();
  #isEnded = false;
  #isNamed = false;

  /** `changed` is called when the list may say something else of it, `gone(why)` when there is none to show. */
  constructor(id, options) {
    this.id = id;
    this.#options = options;
    this.#asks = new Asks(byId("asks"), {
      answer: (ask, given) => this.#answer(ask, given),
      mayAnswer: options.mayApprove,
      afterLast: () => this.#focusPrompt(),
    });
    this.#stream = new LiveStream(id, {
      event: (name, data, seq) => this.#take(name, data, seq),
      state: (state) => setText(byId("state"), stateWords[state]),
      whatNow: () => this.#whatNow(),
    });
    this.describe();
    this.#listen();
    this.#setRunning(false);
  }

  /** What the list of sessions says of it. */
  describe(about = { sessionId: this.id }) {
    this.#isEnded ||= about.status === "closed";
    byId("prompt-form").hidden = !this.#options.mayPrompt || this.#isEnded;
    setText(byId("session-title"), this.#options.names.of(about));
    if (about.engine) this.#timeline.engineListed(about.engine, about.lastSeq);
    setText(byId("session-about"), [about.engine, about.model, about.workspace].filter(Boolean).join(" · "));
  }

  /** Nothing of it stays in the page. */
  close() {
    this.#leaving.abort();
    this.#stream.close();
    this.#timeline.close();
    this.#asks.close();
    for (const id of ["session-title", "session-about", "state"]) setText(byId(id), "");
  }

  #listen() {
    const { signal } = this.#leaving;
    const [form, prompt] = [byId("prompt-form"), byId("prompt")];
    form.addEventListener("submit", (event) => this.#send(event), { signal });
    byId("cancel").addEventListener("click", () => this.#tell("session.cancel", {}), { signal });
    prompt.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        form.requestSubmit();
      },
      { signal },
    );
  }

  async #send(event) {
    event.preventDefault();
    const field = byId("prompt");
    const prompt = field.value.trim();
    if (prompt === "") return;
    field.value = "";
    // Chosen here, so that a prompt that is sent again after a lost answer is one run.
    const messageId = newId();
    this.#timeline.willSend(messageId, prompt, await derivedId(messageId, "queued"));
    if (!(await this.#tell("session.send", { prompt, messageId })) && field.value === "") field.value = prompt;
  }

  /** Whether it was taken; if not it is said why. */
  async #tell(method, params) {
    try {
      await call(method, { sessionId: this.id, ...params });
      this.#options.changed();
      return true;
    } catch (error) {
      this.#timeline.say(error.message);
      return false;
    }
  }

  /** The stream never tells what was answered, so what was chosen here is what this page knows of it. */
  async #answer({ askId, toolName, args }, given) {
    await call("session.approve", { sessionId: this.id, askId, ...given });
    if (toolName === "ask.pick") this.#timeline.wasChosen(askId, given.value ?? labelsOf(args, given));
  }

  #take(name, data, seq) {
    if (name === "timeline.message") this.#hear(data);
    this.#timeline.take(name, data, seq);
    if (name !== "tool.approval") return;
    const shown = this.#asks.take(data);
    this.#timeline.toEnd(shown);
    this.#options.changed();
  }

  #hear({ role, content, done }) {
    if (role === "user") this.#setRunning(true);
    if (done) this.#setRunning(false);
    if (role === "user" && !this.#isNamed) {
      this.#isNamed = true;
      this.#options.names.heardFirst(this.id, content);
    }
    if (role === "system") this.#isEnded ||= /^Session closed(:|$)/.test(content);
    if (role === "user" || role === "system" || done) this.#options.changed();
  }

  #setRunning(runs) {
    const cancel = byId("cancel");
    byId("timeline").setAttribute("aria-busy", String(runs));
    if (!runs && document.activeElement === cancel) this.#focusPrompt(); // who is disabled loses it
    cancel.disabled = !runs;
  }

  #focusPrompt() {
    byId(byId("prompt-form").hidden ? "main" : "prompt").focus();
  }

  /** After the server has turned the stream away. */
  async #whatNow() {
    if (this.#isEnded) return "ended";
    if (!(await whoAmI())) {
      this.#options.changed();
      return "lost";
    }
    try {
      await call("session.stream", { sessionId: this.id });
      return "again";
    } catch (error) {
      if (error.code !== "session_not_found" && error.code !== "forbidden") throw error;
      if (!this.#leaving.signal.aborted) this.#options.gone(error.code === "forbidden" ? error.message : NOT_FOUND);
      return "lost";
    }
  }
}

const labelsOf = ({ items = [] }, { ids = [] }) =>
  items
    .filter(({ id }) => ids.includes(id))
    .map(({ label }) => label)
    .join(", ") || "none";
