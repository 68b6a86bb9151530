// What the app does, without Electron: tabs, each with its API, its chat, what waits to be done, and the versions of its interface.

/** @typedef {import("dragoman/clients/studio").StudioHost} StudioHost */
/** @typedef {import("dragoman/clients/studio").OpenedAsk} Ask */
/** @typedef {"generation" | "customization" | "rollback"} Kind */
/** @typedef {{ role: "user" | "assistant" | "error", content: string, options?: string[] }} Message */
/** @typedef {{ number: number, kind: Kind, description: string, code: string }} Version */
/** @typedef {import("dragoman/clients/studio").HostRequestOptions} RequestOptions */
/** @typedef {{ name: string, text: string }} Source The description of an API as it was written, and the name of its file. */
/** @typedef {ReturnType<typeof newTab>} Tab */
/** @typedef {Pick<Message, "content" | "options">} Reply */

/** @param {string} id @param {Source} source */
const newTab = (id, source) => ({
  id,
  source,
  messages: /** @type {Message[]} */ ([]),
  versions: /** @type {Readonly<Version>[]} */ ([]),
  /** What was asked for and is not begun. */
  waiting: /** @type {string[]} */ ([]),
  /** What has come so far of the answer that is under way. */
  draft: "",
  work: Promise.resolve(),
  closed: new AbortController(),
});

export class Desk {
  #host;
  #onChange;
  #tabs = /** @type {Map<string, Tab>} */ (new Map());
  #asks = /** @type {Map<string, Ask>} */ (new Map());
  #opened = 0;

  /** @param {StudioHost} host @param {() => void} onChange */
  constructor(host, onChange = () => {}) {
    this.#host = host;
    this.#onChange = onChange;
    host.on("ask/opened", (ask) => this.#changed(() => this.#asks.set(ask.askId, ask)));
    host.on("ask/closed", ({ askId }) => this.#changed(() => this.#asks.delete(askId)));
    host.on("state", ({ state }) => this.#changed(() => state === "crashed" && this.#asks.clear()));
  }

  /** What there is to show. Code and descriptions are large, and not in it. */
  get view() {
    const tabs = [...this.#tabs.values()].map(({ id, source, messages, versions, waiting, draft }) => {
      const about = versions.map(({ code: _, ...version }) => version);
      return { id, title: source.name, messages, waiting, draft, versions: about };
    });
    const asks = [...this.#asks.values()].map(({ askId, title, message }) => ({ askId, title, message }));
    return { tabs, asks };
  }

  /** @param {string} id @param {number} number */
  codeOf(id, number) {
    return this.#tabs.get(id)?.versions[number - 1]?.code;
  }

  /** @param {Source} source */
  open(source) {
    const id = `tab-${++this.#opened}`;
    this.#changed(() => this.#tabs.set(id, newTab(id, source)));
    return id;
  }

  /** @param {string} id */
  close(id) {
    this.#tabs.get(id)?.closed.abort();
    this.#changed(() => this.#tabs.delete(id));
  }

  /** @param {string} id */
  generate(id) {
    return this.#next(id, "Generate the interface", async (tab, options) => {
      const made = await this.#host.generate({ source: tab.source, format: "react" }, options);
      this.#append(tab, "generation", made);
      return { content: made.description };
    });
  }

  /** @param {string} id @param {string} prompt @param {Message[]} [before] What was said before; all of it, if nothing else is said. */
  customize(id, prompt, before) {
    return this.#next(id, prompt, async (tab, options, said) => {
      const currentCode = tab.versions.at(-1)?.code;
      if (currentCode === undefined) throw new Error("There is no interface yet. Generate it first.");
      const history = (before ?? said).flatMap(({ role, content }) => (role === "error" ? [] : [{ role, content }]));
      const made = await this.#host.customize({ currentCode, prompt, history }, options);
      if (made.clarificationNeeded) return { content: made.question, options: made.options };
      this.#append(tab, "customization", made);
      return { content: [made.description, ...made.assumptions].join("\n") };
    });
  }

  /**
   * Answers a question that a customization came back with: it is sent again, after the question and not after what was said since.
   * @param {string} id @param {number} at Which of the messages the question is. @param {string} option
   */
  choose(id, at, option) {
    const { messages } = this.#tab(id);
    const question = messages[at];
    if (!question?.options) throw new Error("That is no question, or it is answered.");
    delete question.options;
    return this.customize(id, option, messages.slice(0, at + 1));
  }

  /** @param {string} id @param {string} message */
  chat(id, message) {
    return this.#next(id, message, async (_, options) => ({
      content: (await this.#host.chat(message, options)).message,
    }));
  }

  /** An earlier version is made the newest; none is ever taken away. @param {string} id @param {number} number */
  rollback(id, number) {
    return this.#next(id, `Go back to version ${number}`, async (tab) => {
      const code = this.codeOf(id, number);
      if (code === undefined) throw new Error(`There is no version ${number}.`);
      this.#append(tab, "rollback", { code, description: `As version ${number}` });
      return { content: `This is version ${number} again.` };
    });
  }

  /** @param {string} askId @param {boolean} ok */
  async answer(askId, ok) {
    const { sessionId } = this.#asks.get(askId) ?? {};
    await this.#host.answer(askId, { ok }, sessionId);
  }

  /**
   * The requests of a tab are made one after the other, as they were asked for: each is about what the one before has made, and the time of
   * one that waits in the runtime would run. One that fails says so, and the next is made.
   * @param {string} id
   * @param {string} prompt
   * @param {(tab: Tab, options: RequestOptions, said: Message[]) => Promise<Reply>} make
   */
  #next(id, prompt, make) {
    const tab = this.#tab(id);
    tab.work = tab.work.then(async () => {
      if (tab.closed.signal.aborted) return;
      tab.waiting.shift();
      const said = [...tab.messages];
      this.#changed(() => tab.messages.push({ role: "user", content: prompt }));
      const reply = await make(tab, this.#options(tab), said).then(
        (made) => ({ role: /** @type {const} */ ("assistant"), ...made }),
        (error) => ({ role: /** @type {const} */ ("error"), content: String(error.message) }),
      );
      tab.draft = "";
      this.#changed(() => tab.messages.push(reply));
    });
    this.#changed(() => tab.waiting.push(prompt));
    return tab.work;
  }

  /** @param {Tab} tab */
  #options(tab) {
    const draft = (/** @type {string} */ text) => this.#changed(() => Object.assign(tab, { draft: text }));
    return {
      context: { tabId: tab.id, hasActiveSpec: true, hasActiveInterface: tab.versions.length > 0 },
      signal: tab.closed.signal,
      onChunk: (/** @type {string} */ chunk) => draft(tab.draft + chunk),
      onRetry: () => draft(""), // what came is thrown away: it begins from the beginning
    };
  }

  /** @param {Tab} tab @param {Kind} kind @param {{ code: string, description: string }} made */
  #append(tab, kind, { code, description }) {
    tab.versions.push(Object.freeze({ number: tab.versions.length + 1, kind, description, code }));
  }

  /** @param {string} id */
  #tab(id) {
    const tab = this.#tabs.get(id);
    if (!tab) throw new Error(`There is no tab ${id}.`);
    return tab;
  }

  /** @param {() => unknown} change */
  #changed(change) {
    change();
    this.#onChange();
  }
}
