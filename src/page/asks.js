import { element, setText } from "./element.js";

/** The questions that wait for an answer. The first answer counts, wherever it is given: `close` takes a question away. */
export class Asks {
  #box;
  #answer;
  #mayAnswer;
  #afterLast;
  #open = new Map();

  /** `answer(ask, given)` sends it; `afterLast` is called when a question that had the focus was the last one. */
  constructor(box, { answer, mayAnswer, afterLast }) {
    this.#box = box;
    this.#answer = answer;
    this.#mayAnswer = mayAnswer;
    this.#afterLast = afterLast;
    box.replaceChildren();
  }

  take(ask) {
    if (ask.outcome !== undefined) this.#close(ask.askId);
    else if (ask.requiresApproval && !this.#open.has(ask.askId)) this.#show(ask);
  }

  #show(ask) {
    const why = this.#mayAnswer ? answeredElsewhere(ask) : "Your token may not answer it.";
    const form = why ? onlyShown(ask, why) : askForm(ask, (given) => this.#answer(ask, given));
    this.#open.set(ask.askId, form);
    this.#box.append(form);
  }

  #close(askId) {
    const form = this.#open.get(askId);
    const hadFocus = form?.contains(document.activeElement);
    this.#open.delete(askId);
    form?.remove();
    if (!hadFocus) return;
    const next = this.#box.querySelector("form");
    if (next) next.focus();
    else this.#afterLast();
  }
}

function answeredElsewhere({ executor }) {
  return executor === "plugin" && "The program that this session belongs to does it, and asks there.";
}

function onlyShown(ask, why) {
  return element("section", { class: "ask" }, ...about(ask), element("p", {}, why));
}

function askForm(ask, send) {
  const { fields, read, yes, no, takesReason } = kindOf(ask);
  const problem = element("p", { class: "error", role: "alert" });
  const reason = element("input", { type: "text", "aria-label": "Reason, if you deny it", placeholder: "Reason" });
  const remember = element("input", { type: "checkbox" });
  const fromNowOn = element("label", {}, remember, " From now on, without being asked");
  const approve = element("button", { type: "submit", class: "primary" }, yes);
  const deny = element("button", { type: "button", on: { click: () => give({ approved: false }) } }, no);
  const form = element(
    "form",
    { class: ask.danger ? "ask danger" : "ask", tabindex: "-1", on: { submit } },
    ...about(ask),
    ...fields,
    ...(ask.allowRemember ? [fromNowOn] : []),
    element("div", { class: "row answers" }, approve, deny, ...(takesReason ? [reason] : [])),
    problem,
  );

  function submit(event) {
    event.preventDefault();
    give({ approved: true, ...read(), ...(remember.checked && { remember: true }) });
  }

  async function give(given) {
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true"; // a button that is disabled would lose the focus
    const because = reason.value.trim();
    try {
      await send(!given.approved && because ? { ...given, reason: because } : given);
    } catch (error) {
      setText(problem, error.message);
      form.ariaBusy = "false";
    }
  }
  return form;
}

/** What the question is about, whatever its kind. */
function about({ toolName, args, title, message, diff, truncated, danger, expiresAt }) {
  const isQuestion = toolName.startsWith("ask.");
  const heading = (isQuestion ? args.title : title) ?? toolName;
  const words = isQuestion ? args.message : message;
  return [
    element("h3", {}, heading),
    ...(danger ? [element("p", { class: "warning" }, "This cannot be undone, or reaches beyond the project.")] : []),
    ...(words ? [element("p", { class: "text" }, words)] : []),
    ...(isQuestion ? [] : [element("p", {}, element("code", {}, toolName))]),
    ...(diff ? [diffOf(diff)] : isQuestion ? [] : [element("pre", {}, JSON.stringify(args, undefined, 2) ?? "")]),
    ...(truncated ? [element("p", { class: "warning" }, "This is not shown whole.")] : []),
    element("p", { class: "quiet" }, `Open until ${new Date(expiresAt).toLocaleTimeString()}; then it counts as no.`),
  ];
}

function diffOf(diff) {
  const kinds = { "+": "added", "-": "removed", "@": "place" };
  const lines = diff
    .trimEnd()
    .split("\n")
    .map((line) => element("span", { class: kinds[line[0]] ?? "same" }, `${line}\n`));
  return element("pre", { class: "diff" }, ...lines);
}

/** The fields of a question, and what they say. */
function kindOf({ toolName, args }) {
  if (toolName === "ask.prompt") return textKind(args);
  if (toolName === "ask.pick") return pickKind(args);
  const labels = { yes: args?.confirmLabel ?? "Approve", no: args?.cancelLabel ?? "Deny" };
  return { fields: [], read: () => ({}), ...labels, takesReason: true };
}

function textKind({ title, defaultValue = "", multiline, secret }) {
  const tag = multiline && !secret ? "textarea" : "input";
  const field = element(tag, {
    "aria-label": title ?? "Answer",
    autocomplete: "off",
    type: tag === "input" && (secret ? "password" : "text"),
  });
  field.value = defaultValue;
  return { fields: [field], read: () => ({ value: field.value }), yes: "Send", no: "No answer" };
}

function pickKind({ items = [], multi }) {
  const type = multi ? "checkbox" : "radio";
  const choices = items.map(({ id, label, detail }, at) => {
    const input = element("input", { type, name: "choice", required: !multi && at === 0 });
    const shown = element(
      "label",
      {},
      input,
      " ",
      label,
      ...(detail ? [element("span", { class: "quiet" }, ` ${detail}`)] : []),
    );
    return { id, input, shown };
  });
  const read = () => ({ ids: choices.filter(({ input }) => input.checked).map(({ id }) => id) });
  return {
    fields: [element("div", { class: "choices" }, ...choices.map(({ shown }) => shown))],
    read,
    yes: "Take it",
    no: "None",
  };
}
