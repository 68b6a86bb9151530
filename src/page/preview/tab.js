import { byId, element, setText } from "../element.js";
import { ChatView } from "./chat-view.js";
import { Customizing } from "./customizing.js";
import { ask, connectionOf } from "./preview-server.js";
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
  /** What the description says of the API, where it is connected to, and what is kept for it. */
  about;
  /** What the interface wrote, and what went wrong in it. */
  logged = [];
  #calls;
  #on;
  #chat = new ChatView();
  #stage;
  #customizing;
  #runs = new Map();
  #form;
  #isNamed = false;
  #mayPrompt;

  /** `on`: changed() when something of it looks otherwise, connect() when the interface asks for that. */
  constructor({ sessionId, title, calls, on, theme, mayPrompt }) {
    this.sessionId = sessionId;
    this.title = title ?? "Interface";
    this.#calls = calls;
    this.#on = on;
    this.#mayPrompt = mayPrompt;
    this.#stage = new Stage({
      told: { theme, connection: { mode: "mock", server: "" } },
      on: {
        request: (request, signal) => this.#request(request, signal),
        log: (level, text) => this.#log(level, text),
        connect: () => on.connect(),
        shown: (version) => this.#isShown(version),
      },
    });
    const version = (result) => this.#answered(result);
    this.#customizing = new Customizing({ calls, chat: this.#chat, sessionId, on: { version } });
    this.#form = promptForm((prompt) => this.#customizing.ask(prompt));
    this.#form.hidden = !mayPrompt;
    const chat = element("section", { class: "chat", "aria-label": "Chat" }, this.#chat.box, this.#form);
    this.panel = element("div", { class: "tab-panel" }, chat, this.#stage.box);
    byId("panels").append(this.panel);
  }

  get isBusy() {
    return this.#customizing.isBusy || this.#runs.size > 0;
  }

  get latest() {
    return this.versions.at(-1)?.version;
  }

  get connection() {
    const { server, servers = [] } = this.about ?? {};
    return server ? { mode: "live", server } : { mode: "mock", server: servers[0] ?? "" };
  }

  /** `isNew`: its first run has begun just now, and what it says is still to come. */
  async open({ isNew = false } = {}) {
    if (isNew) this.#stage.say(GENERATING);
    const session = await this.#calls.watch(this.sessionId, { whole: isNew });
    this.#name(session);
    await this.refresh();
    if (this.versions.length === 0)
      this.#stage.say(session.run || isNew ? GENERATING : "This session has no interface.");
    if (!isNew) this.#tellVersions();
  }

  /** What was missed while the connection was lost is looked up. */
  async reopen() {
    await this.#calls.watch(this.sessionId);
    for (const runId of [...this.#runs.keys()]) this.#ended({ runId });
    await this.refresh();
  }

  async refresh() {
    const before = this.latest;
    this.versions = await this.#calls.versions(this.sessionId);
    if (this.versions.length > 0) {
      await this.loadConnection();
      if (this.latest !== before) this.show(this.latest);
    }
    this.#on.changed();
  }

  /** Who may only look sees sample data. */
  async loadConnection() {
    if (!this.#mayPrompt) return;
    this.about = await connectionOf(this.sessionId);
    if (!this.#isNamed) await this.#calls.name(this.sessionId, this.about.title).catch(() => {}); // it may not be ours to name
    this.#name(this.about);
    this.#stage.tell({ connection: this.connection });
    this.#on.changed();
  }

  show(version) {
    this.shown = version;
    this.#stage.show({ sessionId: this.sessionId, version, title: this.title });
    this.#on.changed();
  }

  setTheme(theme) {
    this.#stage.tell({ theme });
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

  focus() {
    this.#form.elements.prompt.focus();
  }

  close() {
    this.#stage.close();
    this.panel.remove();
  }

  /** What the server says of the session's runs that others asked for. */
  told(method, params) {
    if (method === "run/started" && params.requestId === undefined) this.#started(params);
    if (method === "run/ended") this.#ended(params);
    if (method === "session/updated") this.#name(params);
    if (method === "progress" && this.#runs.has(params.runId)) {
      this.#runs.get(params.runId).setState(params.message, {});
      if (this.versions.length === 0) this.#stage.say(params.message);
    }
  }

  #started({ runId, prompt }) {
    const entry = this.#chat.asked(prompt);
    entry.setState("Working on it …");
    this.#runs.set(runId, entry);
    this.#on.changed();
  }

  #ended({ runId, status, result, error }) {
    this.#runs.get(runId)?.setState("");
    this.#runs.delete(runId);
    if (error) this.#failed(error.message);
    else if (result?.description) this.#chat.answered(result.description, { assumptions: result.data?.assumptions });
    if (status === "completed") this.refresh().catch(({ message }) => this.#chat.failed(message));
    this.#on.changed();
  }

  #failed(message) {
    this.#chat.failed(message);
    if (this.versions.length === 0) this.#stage.say("No interface could be made of this description.");
  }

  #answered({ description, assumptions, version }) {
    const show = () => this.show(version);
    this.#chat.answered(description, { assumptions, version, show });
    this.refresh().catch(({ message }) => this.#chat.failed(message));
  }

  #tellVersions() {
    for (const { version, kind, prompt, description, assumptions } of this.versions) {
      this.#chat.asked(kind === "rollback" ? `Back to an earlier version` : prompt);
      this.#chat.answered(description, { assumptions, version, show: () => this.show(version) });
      if (kind === "customization") this.#customizing.remember(prompt, description);
    }
  }

  /** By its title, which is that of the API until somebody gives it another one. */
  #name({ title }) {
    if (!title) return;
    this.title = title;
    this.#isNamed = true;
    this.#on.changed();
  }

  #request(request, signal) {
    const asked = ask(this.sessionId, request, signal);
    asked.catch(() => {}).then(() => this.#on.requested?.());
    return asked;
  }

  #isShown(version) {
    setText(byId("announcer"), `Version ${version} is shown.`);
  }

  #log(level, text) {
    this.logged = [...this.logged, { at: Date.now(), level, text }].slice(-MOST_LOGGED);
    this.#on.logged?.();
  }
}

function promptForm(send) {
  const field = element("textarea", {
    name: "prompt",
    rows: "2",
    required: true,
    "aria-label": "What should be different?",
    placeholder: "What should be different? For example: hide the tags column",
    on: {
      keydown: (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        form.requestSubmit();
      },
    },
  });
  const submit = (event) => {
    event.preventDefault();
    const prompt = field.value.trim();
    field.value = "";
    if (prompt !== "") send(prompt);
  };
  const hint = element("span", { class: "quiet" }, "Enter sends.");
  const button = element("button", { type: "submit", class: "primary" }, "Send");
  const form = element(
    "form",
    { class: "prompt", on: { submit } },
    field,
    element("div", { class: "row" }, hint, button),
  );
  return form;
}
