import { Asks } from "./asks.js";
import { byId, setText } from "./element.js";
import { LiveStream } from "./live-stream.js";
import { call, whoAmI } from "./server.js";
import { titleOf } from "./session-list.js";
import { Timeline } from "./timeline.js";

const connection = { live: "", lost: "The connection is lost; trying again …", ended: "This session has ended." };

/** The session that is shown: its stream, its questions, and what can be done to it. */
export class OpenSession {
  id;
  #options;
  #timeline = new Timeline(byId("timeline"));
  #asks;
  #stream;
  #leaving = new AbortController();
  #about;

  /** `look` has the list of sessions renewed. */
  constructor(id, options) {
    this.id = id;
    this.#options = options;
    this.#asks = new Asks(byId("asks"), {
      answer: ({ askId }, given) => call("session.approve", { sessionId: id, askId, ...given }),
      mayAnswer: options.mayApprove,
      afterLast: () => byId("prompt").focus(),
    });
    this.#stream = new LiveStream(id, {
      event: (name, data) => this.#take(name, data),
      state: (state) => setText(byId("state"), connection[state]),
      mayGoOn: () => this.#mayGoOn(),
    });
    setText(byId("session-title"), `Session ${id.slice(0, 8)}`);
    setText(byId("session-about"), "");
    this.#listen();
    this.#setRunning(false);
  }

  /** What the list of sessions says of it. */
  describe(about) {
    this.#about = about;
    byId("prompt-form").hidden = !this.#options.mayPrompt || about?.status === "closed";
    if (!about) return;
    setText(byId("session-title"), titleOf(about));
    setText(byId("session-about"), [about.workspace, about.model].filter(Boolean).join(" · "));
  }

  close() {
    this.#leaving.abort();
    this.#stream.close();
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
    const prompt = byId("prompt");
    const text = prompt.value.trim();
    if (text === "") return;
    prompt.value = "";
    // Chosen here, so that a prompt that is sent again after a lost answer is one run.
    const messageId = crypto.randomUUID();
    if (!(await this.#tell("session.send", { prompt: text, messageId })) && prompt.value === "") prompt.value = text;
  }

  /** Whether it was taken; if not it is said why. */
  async #tell(method, params) {
    try {
      await call(method, { sessionId: this.id, ...params });
      this.#options.look();
      return true;
    } catch (error) {
      this.#timeline.say(error.message);
      return false;
    }
  }

  #take(name, data) {
    if (name === "timeline.message" && data.role === "user") this.#setRunning(true);
    if (name === "timeline.message" && data.done) this.#setRunning(false);
    this.#timeline.take(name, data);
    if (name !== "tool.approval") return;
    this.#asks.take(data);
    this.#timeline.toEnd();
  }

  #setRunning(runs) {
    byId("timeline").setAttribute("aria-busy", String(runs));
    byId("cancel").disabled = !runs;
  }

  /** After the server has turned the stream away: not when the session is closed or gone, nor without a sign-in. */
  async #mayGoOn() {
    if (!(await whoAmI())) return false;
    if (this.#about?.status === "closed") return false;
    await call("session.stream", { sessionId: this.id });
    return true;
  }
}
