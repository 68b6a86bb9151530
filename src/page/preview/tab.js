import { byId, element, setText } from "../element.js";
import { ChatView } from "./chat-view.js";
import { Connection } from "./connection.js";
import { Customizing } from "./customizing.js";
import { OtherRuns } from "./other-runs.js";
import { ask } from "./preview-server.js";
import { promptForm } from "./prompt-form.js";
import { Stage } from "./stage.js";

const MOST_LOGGED = 200;
const GENERATING = "Generating the interface …";

/** One session: its chat, its interface, its versions and its connection. */
export class Tab {
  sessionId;
  title;
  panel;
  versions = [];
  /** The version that is to be seen. */
  shown;
  /** What the interface wrote, and what went wrong in it. */
  logged = [];
  #calls;
  #on;
  #theme;
  #connection;
  #chat = new ChatView();
  #stage;
  #customizing;
  #runs = new OtherRuns(this.#chat);
  #isNamed = false;
  /** The latest version that was shown by itself, or told of. */
  #offered;

  /**
   * `me`: who looks at it, and whether they may prompt. `on`: changed() when something of it looks otherwise, connect() when the interface
   * asks for that, logged() and requested() when there is more for the console.
   */
  constructor({ sessionId, title, calls, on, theme, me }) {
    this.sessionId = sessionId;
    this.title = title ?? "Interface";
    this.#calls = calls;
    this.#on = on;
    this.#theme = theme;
    this.#connection = new Connection({ sessionId, me, versions: () => this.versions });
    this.#stage = new Stage({
      toldOf: (version) => ({ theme: this.#theme, connection: this.#connection.of(version) }),
      on: {
        request: (request, signal) => this.#request(request, signal),
        log: (level, text) => this.#log(level, text),
        connect: () => on.connect(),
        shown: (version) => this.#isShown(version),
      },
    });
    const told = { version: (result) => this.#answered(result), changed: () => on.changed() };
    this.#customizing = new Customizing({ calls, chat: this.#chat, sessionId, on: told });
    const form = promptForm((prompt) => this.#customizing.ask(prompt));
    form.hidden = !me.mayPrompt;
    const chat = element("section", { class: "chat", "aria-label": "Chat" }, this.#chat.box, form);
    this.panel = element("div", { class: "tab-panel" }, chat, this.#stage.box);
    byId("panels").append(this.panel);
  }

  get isBusy() {
    return this.#customizing.isBusy || this.#runs.areUnderWay;
  }

  get latest() {
    return this.versions.at(-1)?.version;
  }

  /** What the version that is seen works with. */
  get connection() {
    return this.#connection.of(this.shown);
  }

  /** What is known of its API; nothing where it cannot be connected to one. */
  get about() {
    return this.#connection.about;
  }

  /** `isNew`: its first run has begun just now, and what it says is still to come. */
  async open({ isNew = false } = {}) {
    if (isNew) this.#stage.say(GENERATING);
    const session = await this.#calls.watch(this.sessionId, { whole: isNew });
    this.#name(session);
    await this.#loadVersions();
    if (this.versions.length === 0)
      this.#stage.say(session.run || isNew ? GENERATING : "This session has no interface.");
    if (!isNew) this.#tellVersions();
    await this.loadConnection();
  }

  /** What was missed while the connection was lost is looked up. */
  async reopen() {
    await this.#calls.watch(this.sessionId);
    this.#runs.endAll();
    await this.refresh();
  }

  /** What it fails with is told in the chat. */
  async refresh() {
    try {
      await this.#loadVersions();
    } catch (error) {
      this.#chat.failed(error.message);
    }
    await this.loadConnection();
  }

  async loadConnection() {
    if (this.versions.length === 0) return;
    const { notices } = this.#stage;
    const before = this.about?.title;
    notices.withdraw("connection");
    try {
      await this.#connection.load();
    } catch (error) {
      const words = `Whether this is connected to its API is not known: ${error.message}`;
      notices.offer("connection", words, { label: "Try again", act: () => this.loadConnection() });
    }
    this.#tellConnection();
    await this.#nameAfterApi(before);
  }

  show(version) {
    this.#stage.notices.withdraw("arrived");
    this.#stage.show({ sessionId: this.sessionId, version, title: this.title });
  }

  setTheme(theme) {
    this.#theme = theme;
    this.#stage.tell();
  }

  setWidth(width) {
    this.#stage.setWidth(width);
  }

  setHidden(isHidden) {
    this.panel.hidden = isHidden;
    this.#stage.setHidden(isHidden);
  }

  note(words) {
    this.#chat.note(words);
  }

  close() {
    this.#customizing.close();
    this.#chat.close();
    this.#stage.close();
    this.panel.remove();
  }

  /** What the server says of the session's runs that others asked for. */
  told(method, params) {
    if (method === "run/started" && params.requestId === undefined) this.#runs.begin(params);
    if (method === "run/ended") this.#ended(params);
    if (method === "session/updated") this.#name(params);
    if (method === "progress" && this.#runs.progress(params) && this.versions.length === 0)
      this.#stage.say(params.message);
    this.#on.changed();
  }

  #ended({ runId, status, result, error }) {
    this.#runs.end(runId);
    if (error) this.#failed(error.message);
    else if (result?.description) this.#chat.answered(result.description, { assumptions: result.data?.assumptions });
    if (status === "completed") this.refresh();
  }

  #failed(message) {
    this.#chat.failed(message);
    if (this.versions.length === 0) this.#stage.say("No interface could be made of this description.");
  }

  #answered({ description, assumptions, version }) {
    const show = () => this.show(version);
    this.#chat.answered(description, { assumptions, version, show });
    this.refresh();
  }

  #tellVersions() {
    for (const { version, kind, prompt, description, assumptions } of this.versions) {
      this.#chat.asked(kind === "rollback" ? `Back to an earlier version` : prompt);
      this.#chat.answered(description, { assumptions, version, show: () => this.show(version) });
      if (kind === "customization") this.#customizing.remember(prompt, description);
    }
  }

  async #loadVersions() {
    this.versions = await this.#calls.versions(this.sessionId);
    if (this.latest !== undefined && this.latest !== this.#offered) this.#offer(this.latest);
    this.#on.changed();
  }

  /** A new version is shown by itself. Not so that of somebody else in place of one that may work with live data. */
  #offer(version) {
    this.#offered = version;
    const whose = this.#connection.heldBack(version);
    if (!whose || !this.#stage.isTaken) return this.show(version);
    this.#stage.notices.offer("arrived", whose, { label: "Show it", act: () => this.show(version) });
  }

  /** What others made gets live data when that is said, and not before. */
  #tellConnection() {
    const { shown } = this;
    const { notices } = this.#stage;
    this.#stage.tell();
    notices.withdraw("whose");
    const whose = this.#connection.heldBack(shown);
    const agree = () => {
      this.#connection.agree(shown);
      this.#tellConnection();
    };
    const words = `${whose} It shows sample data, since live data would be asked for in your name.`;
    if (whose) notices.offer("whose", words, { label: "Show it with live data", act: agree });
    this.#on.changed();
  }

  /** Until somebody gives it a name of its own. `before`: what the API was called until now. */
  async #nameAfterApi(before) {
    const { title } = this.about ?? {};
    if (!title || (this.#isNamed && (this.title !== before || title === before))) return;
    this.#name({ title });
    await this.#calls.name(this.sessionId, title).catch(() => {}); // it may not be ours to name
  }

  #name({ title }) {
    if (!title) return;
    this.title = title;
    this.#isNamed = true;
    this.#on.changed();
  }

  #request(request, signal) {
    const asked = ask(this.sessionId, request, signal);
    asked.catch(() => {}).then(() => this.#on.requested());
    return asked;
  }

  #isShown(version) {
    this.shown = version;
    setText(byId("announcer"), `Version ${version} is shown.`);
    this.#tellConnection();
  }

  #log(level, text) {
    this.logged = [...this.logged, { at: Date.now(), level, text }].slice(-MOST_LOGGED);
    this.#on.logged();
  }
}
