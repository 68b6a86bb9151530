const MOST_HISTORY = 40;
const LONGEST = 4000;

/** What is asked for in a tab, one after the other. One that fails does not keep the next from its turn. */
export class Customizing {
  #calls;
  #chat;
  #on;
  #sessionId;
  #queue = [];
  #isBusy = false;
  /** What was asked and answered, as far as it is sent along. */
  #settled = [];
  /** The question that waits for an answer. */
  #open;

  /** `on`: version(result) when there is a new one, changed() when it begins or ends to be busy. */
  constructor({ calls, chat, sessionId, on }) {
    this.#calls = calls;
    this.#chat = chat;
    this.#sessionId = sessionId;
    this.#on = on;
  }

  get isBusy() {
    return this.#isBusy;
  }

  /** Of an earlier day. */
  remember(prompt, description) {
    this.#settle({ role: "user", content: prompt }, { role: "assistant", content: description });
  }

  ask(prompt) {
    const item = { prompt, answers: this.#open };
    item.entry = this.#chat.asked(prompt, { stop: () => this.#stop(item) });
    item.entry.setState("Waiting", { canStop: true, stopWord: "Remove" });
    this.#open?.close();
    this.#open = undefined;
    this.#queue.push(item);
    this.#work();
  }

  /** What still waits is not sent any more. */
  close() {
    this.#queue = [];
  }

  async #work() {
    if (this.#isBusy) return;
    this.#setBusy(true);
    while (this.#queue.length > 0) {
      await this.#calls.ready();
      const item = this.#queue.shift(); // there may be none any more
      if (item) await this.#one(item);
    }
    this.#setBusy(false);
  }

  #setBusy(isBusy) {
    this.#isBusy = isBusy;
    this.#on.changed();
  }

  async #one(item) {
    const { prompt, answers, entry } = item;
    const history = [...this.#settled, ...(answers?.said ?? [])].slice(-MOST_HISTORY).map(cut);
    entry.setState(WORKING, { canStop: true });
    try {
      const asked = { sessionId: this.#sessionId, prompt, history };
      const result = await this.#calls.customize(asked, (id) => {
        item.requestId = id;
      });
      this.#over(item);
      if (result.clarificationNeeded) this.#ask(result, [...(answers?.said ?? []), { role: "user", content: prompt }]);
      else this.#done(result, prompt, answers);
    } catch (error) {
      this.#over(item);
      this.#chat.failed(error.message);
      this.#giveBack(item);
    }
  }

  #over(item) {
    item.isOver = true;
    item.entry.setState("");
  }

  #done(result, prompt, answers) {
    const said = [...(answers?.said ?? []), { role: "user", content: prompt }];
    this.#settle(...said, { role: "assistant", content: result.description });
    this.#on.version(result);
  }

  #settle(...said) {
    this.#settled = [...this.#settled, ...said].slice(-MOST_HISTORY);
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

  /** A question whose answer came to nothing can be answered again. */
  #giveBack({ answers }) {
    if (!answers) return;
    answers.reopen();
    this.#open ??= answers;
  }

  #stop(item) {
    if (this.#queue.includes(item)) {
      this.#queue.splice(this.#queue.indexOf(item), 1);
      item.entry.remove();
      this.#giveBack(item);
    } else if (item.requestId !== undefined) this.#cancel(item);
  }

  async #cancel(item) {
    item.entry.setState("Cancelling …");
    try {
      await this.#calls.cancel(item.requestId);
    } catch (error) {
      if (item.isOver) return; // and how it ended is told
      item.entry.setState(WORKING, { canStop: true });
      this.#chat.failed(error.message);
    }
  }
}

const WORKING = "Working on it …";
const cut = ({ role, content }) => ({ role, content: content.slice(0, LONGEST) });
