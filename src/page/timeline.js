import { element, setText } from "./element.js";
import { EndInSight } from "./end-in-sight.js";
import { EngineLabels } from "./engine-labels.js";
import { markedText, ownWordsFor, statusWords, text } from "./shown-text.js";
import { ToolCall } from "./tool-call.js";

const MOST_ENTRIES = 2000;
/** Lines about answers that may still change. */
const MOST_ANSWERED = 100;

const speakers = { user: "You", thinking: "Thinking", system: "Dragoman" };
const outcomeWords = { expired: "nobody answered in time", withdrawn: "not asked any more" };

/** Draws what a stream says, under each other. A call and a plan are drawn once and changed as they go on. */
export class Timeline {
  #box;
  #end;
  #engines;
  #calls = new Map();
  #plans = new Map();
  /** Prompts of this page that were sent and have not begun, by the id of what says so. */
  #sent = new Map();
  #queued = new Map();
  /** What this page chose, and the lines about choices, until both are there. */
  #chosen = new Map();
  #answered = new Map();
  #left = 0;

  constructor(box) {
    this.#box = box;
    this.#end = new EndInSight(box);
    this.#engines = new EngineLabels(box);
    box.tabIndex = 0; // whoever has no mouse scrolls it, too
    box.replaceChildren();
  }

  /** `seq` is that of the log's event which says it. */
  take(name, data, seq) {
    this.#draw[name]?.(data, seq);
    this.toEnd();
  }

  /** Which engine the session has after the event `seq`, as the list of sessions says. */
  engineListed(engine, seq) {
    this.#engines.listed(engine, seq);
  }

  /** To be called when there is more to see, or less room; `first` is then seen from its beginning. */
  toEnd(first) {
    this.#end.keep(first);
  }

  /** A line of our own. */
  say(line) {
    this.#add(element("p", { class: "line" }, line));
    this.toEnd();
  }

  /** A prompt that may have to wait: the stream says only that one does. */
  willSend(runId, prompt, queuedId) {
    this.#sent.set(queuedId, { runId, prompt });
  }

  /** What this page has answered a choice with. The stream has told that it was answered, or will. */
  wasChosen(askId, words) {
    const line = this.#answered.get(askId);
    if (line) setText(line.box, answerLine(line.ask, words));
    else this.#chosen.set(askId, words);
  }

  close() {
    this.#end.close();
    for (const call of this.#calls.values()) call.close();
    this.#box.replaceChildren();
  }

  #draw = {
    "timeline.message": (message, seq) => this.#message(message, seq),
    "timeline.toolCall": (call) => this.#toolCall(call),
    "plan.start": ({ planId, steps }) => {
      for (const step of steps) this.#step(planId, step);
    },
    "plan.step": ({ planId, ...step }) => this.#step(planId, step),
    "tool.approval": (ask) => this.#closedAsk(ask),
    error: ({ message }) => this.#add(element("article", { class: "message failed" }, label("Error"), text(message))),
  };

  #message({ messageId, role, content, done, engine }, seq) {
    if (role === "user") this.#begun(messageId);
    if (role === "system" && engine) this.#engines.changed(engine, seq);
    if (content.trim() === "") return;
    const sent = this.#sent.get(messageId);
    const ours = done && ownWordsFor(content);
    if (sent) this.#queue(sent, content);
    else if (ours) this.#entry("system", text(ours));
    else if (role === "thinking") this.#thinking(content);
    else if (role === "assistant") this.#entry(role, markedText(content), this.#engines.next());
    else this.#entry(role, text(content));
  }

  #begun(runId) {
    this.#queued.get(runId)?.remove();
    this.#queued.delete(runId);
    for (const [queuedId, sent] of this.#sent) if (sent.runId === runId) this.#sent.delete(queuedId);
  }

  #entry(role, said, by = label(speakers[role] ?? role)) {
    const entry = element("article", { class: `message ${role}` }, by, said);
    this.#add(entry);
    return entry;
  }

  #thinking(content) {
    const summary = element("summary", {}, speakers.thinking);
    this.#add(element("details", { class: "message thinking" }, summary, text(content)));
  }

  #queue({ runId, prompt }, why) {
    this.#queued.set(runId, this.#entry("user queued", text(prompt), label(`You · ${why}`)));
  }

  #toolCall(data) {
    const { callId, status } = data;
    const call = this.#calls.get(callId) ?? this.#newCall(data);
    call.take(data);
    if (status !== "running") this.#calls.delete(callId);
  }

  #newCall(data) {
    const call = new ToolCall(data);
    this.#add(call.box);
    this.#calls.set(data.callId, call);
    return call;
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

  #closedAsk(ask) {
    const { askId, outcome, toolName } = ask;
    if (outcome === undefined) return;
    const box = element("p", { class: "line" }, answerLine(ask, this.#chosen.get(askId)));
    this.#chosen.delete(askId);
    if (toolName === "ask.pick") this.#answered.set(askId, { ask, box });
    if (this.#answered.size > MOST_ANSWERED) this.#answered.delete(this.#answered.keys().next().value);
    this.#add(box);
    this.toEnd();
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

/** Which question it was, what came of it, and by whom. A question that is about no tool has its title among the arguments. */
function answerLine({ toolName, args, title = args?.title, outcome, approved, by }, chosen) {
  const what = (title || toolName).replace(/\?$/, "");
  const who = by === undefined ? "" : ` by ${by}`;
  if (outcome !== "answered") return `${what}: ${outcomeWords[outcome] ?? outcome}`;
  if (approved !== undefined) return `${what}: ${approved ? "approved" : "denied"}${who}`;
  return `${what}: ${chosen === undefined ? "" : `${chosen} · `}answered${who}`;
}

const label = (name) => element("p", { class: "label" }, name);
