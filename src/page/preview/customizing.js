const MOST_HISTORY = 40;
const LONGEST = 4000;

/** What is asked for in a tab, one after the other. One that fails does not keep the next from its turn. */
export class Customizing {
  #calls;
  #chat;
  #on;
  #sessionId;
  #queue = [];
  #underWay = false;
  /** What was asked and answered. */
  #settled = [];
  /** The question that waits for an answer. */
  #open;

  /** `on`: version(result) when there is a new one. */
  constructor({ calls, chat, sessionId, on }) {
    this.#calls = calls;
    this.#chat = chat;
    this.#sessionId = sessionId;
    this.#on = on;
  }

  get isBusy() {
    return this.#underWay;
  }

  /** Of an earlier day. */
  remember(prompt, description) {
    this.#settled.push({ role: "user", content: prompt }, { role: "assistant", content: description });
  }

  ask(prompt) {
    const item = { prompt, answers: this.#open };
    item.entry = this.#chat.asked(prompt, { stop: () => this.#stop(item) });
    this.#open?.close();
    this.#open = undefined;
    this.#queue.push(item);
    if (this.#underWay) item.entry.setState("Waiting", { canStop: true, stopWord: "Remove" });
    this.#work();
  }

  async #work() {
    if (this.#underWay) return;
    this.#underWay = true;
    for (let item = this.#queue.shift(); item; item = this.#queue.shift()) await this.#one(item);
    this.#underWay = false;
  }

  async #one(item) {
    const { prompt, answers, entry } = item;
    const history = [...this.#settled, ...(answers?.said ?? [])].slice(-MOST_HISTORY).map(cut);
    entry.setState("Working on it …", { canStop: true });
    try {
      const asked = { sessionId: this.#sessionId, prompt, history };
      const result = await this.#calls.customize(asked, (id) => {
        item.requestId = id;
      });
      entry.setState("");
      if (result.clarificationNeeded) this.#ask(result, [...(answers?.said ?? []), { role: "user", content: prompt }]);
      else this.#done(result, prompt, answers);
    } catch (error) {
      entry.setState("");
      this.#chat.failed(error.message);
    }
  }

  #done(result, prompt, answers) {
    this.#settled.push(...(answers?.said ?? []), { role: "user", content: prompt });
    this.#settled.push({ role: "assistant", content: result.description });
    this.#on.version(result);
  }

  #ask({ question, options }, before) {
    const said = [...before, { role: "assistant", content: question }];
    const open = { said, ...this.#chat.question(question, options, (option) => this.#choose(open, option)) };
    // What was asked for meanwhile was not asked as an answer to this.
    this.#open = open;
  }

  #choose(open, option) {
    this.#open = open;
    this.ask(option);
  }

  #stop(item) {
    if (this.#queue.includes(item)) {
      this.#queue.splice(this.#queue.indexOf(item), 1);
      item.entry.remove();
    } else if (item.requestId !== undefined) {
      item.entry.setState("Cancelling …");
      this.#calls.cancel(item.requestId).catch(() => {}); // it has ended, and is told
    }
  }
}

const cut = ({ role, content }) => ({ role, content: content.slice(0, LONGEST) });
