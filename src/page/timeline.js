import { element, setText } from "./element.js";

const NEAR_END = 40;
const MOST_ENTRIES = 2000;
const MOST_CHARACTERS = 100_000;

const speakers = { user: "You", assistant: "Agent", thinking: "Thinking", system: "Dragoman" };
const statusWords = {
  pending: "to do",
  running: "under way",
  done: "done",
  failed: "failed",
  skipped: "skipped",
  cancelled: "cancelled",
};

/** Draws what a stream says, under each other. A call and a plan are drawn once and changed as they go on. */
export class Timeline {
  #box;
  #calls = new Map();
  #plans = new Map();
  #left = 0;
  /** Whether the end is in sight, and stays so. */
  #follows = true;

  constructor(box) {
    this.#box = box;
    box.tabIndex = 0; // whoever has no mouse scrolls it, too
    box.replaceChildren();
    box.onscroll = () => {
      this.#follows = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
    };
  }

  take(name, data) {
    this.#draw[name]?.(data);
    this.toEnd();
  }

  /** Unless someone has scrolled away from it. To be called when there is more to see, or less room. */
  toEnd() {
    if (this.#follows) this.#box.scrollTop = this.#box.scrollHeight;
  }

  /** A line of our own. */
  say(text) {
    this.#add(element("p", { class: "line" }, text));
    this.toEnd();
  }

  #draw = {
    "timeline.message": ({ role, content }) => this.#message(role, content),
    "timeline.toolCall": (call) => this.#toolCall(call),
    "plan.start": ({ planId, steps }) => {
      for (const step of steps) this.#step(planId, step);
    },
    "plan.step": ({ planId, ...step }) => this.#step(planId, step),
    "tool.approval": (ask) => this.#closedAsk(ask),
    error: ({ message }) => this.#add(element("article", { class: "message failed" }, label("Error"), text(message))),
  };

  #message(role, content) {
    if (content.trim() === "") return;
    const said = text(content);
    if (role === "thinking") {
      this.#add(element("details", { class: "message thinking" }, element("summary", {}, speakers.thinking), said));
      return;
    }
    this.#add(element("article", { class: `message ${role}` }, label(speakers[role] ?? role), said));
  }

  #toolCall({ callId, toolName, args, status, output, result, error }) {
    const drawn = this.#calls.get(callId) ?? this.#newCall(callId, toolName, args);
    drawn.box.dataset.status = status;
    setText(drawn.status, statusWords[status] ?? status);
    if (output !== undefined) drawn.output.textContent = lastOf(drawn.output.textContent + text(output).textContent);
    const outcome = error ?? (result === undefined ? undefined : shown(result));
    if (outcome !== undefined) drawn.result.replaceChildren(text(outcome));
    if (status === "failed") drawn.box.open = true;
    if (status !== "running") this.#calls.delete(callId);
  }

  #newCall(callId, toolName, args) {
    const status = element("span", { class: "status" });
    const [output, result] = [element("pre", { class: "output" }), element("div", { class: "result" })];
    const summary = element("summary", {}, element("code", {}, toolName), " ", preview(args), " ", status);
    const box = element("details", { class: "call" }, summary, element("pre", {}, shown(args)), output, result);
    this.#add(box);
    const drawn = { box, status, output, result };
    this.#calls.set(callId, drawn);
    return drawn;
  }

  #step(planId, { stepId, description, status }) {
    const plan = this.#plans.get(planId) ?? this.#newPlan(planId);
    let step = plan.steps.get(stepId);
    if (!step) {
      step = { box: element("li"), title: element("span"), status: element("span", { class: "status" }) };
      step.box.append(step.title, " ", step.status);
      plan.steps.set(stepId, step);
      plan.list.append(step.box);
    }
    step.box.dataset.status = status;
    setText(step.title, description);
    setText(step.status, statusWords[status] ?? status);
  }

  #newPlan(planId) {
    const plan = { list: element("ol", { class: "plan" }), steps: new Map() };
    this.#plans.set(planId, plan);
    this.#add(plan.list);
    return plan;
  }

  #closedAsk({ toolName, title, outcome, approved, by }) {
    if (outcome === undefined) return;
    const what = (title ?? toolName).replace(/\?$/, "");
    const who = by === undefined ? "" : ` by ${by}`;
    const answered = approved === undefined ? "answered" : approved ? "approved" : "denied";
    this.say(`${what}: ${outcome === "answered" ? `${answered}${who}` : outcome}`);
  }

  #add(entry) {
    this.#box.append(entry);
    if (this.#box.childElementCount <= MOST_ENTRIES) return;
    const note = this.#left === 0 ? element("p", { class: "line quiet" }) : this.#box.firstElementChild;
    const oldest = this.#left === 0 ? this.#box.firstElementChild : note.nextElementSibling;
    if (this.#left++ === 0) oldest.replaceWith(note);
    else oldest.remove();
    setText(note, `${this.#left} earlier entries are left out here. dragoman export has them all.`);
  }
}

const label = (name) => element("p", { class: "label" }, name);
const text = (content) => element("div", { class: "text" }, cut(content));

const cut = (content) =>
  content.length > MOST_CHARACTERS
    ? `${content.slice(0, MOST_CHARACTERS)}\n… (${content.length - MOST_CHARACTERS} more characters)`
    : content;

const lastOf = (content) => content.slice(-MOST_CHARACTERS);

function shown(value) {
  return cut(typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? ""));
}

/** What a call is about, in a line. */
function preview(args) {
  const values = typeof args === "object" && args !== null ? Object.values(args) : [args];
  const telling = values.filter((value) => typeof value === "string" && value !== "");
  const line = telling.join(" · ").replace(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
