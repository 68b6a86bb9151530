import { aboutAsk } from "./ask-about.js";
import { fieldsOf } from "./ask-fields.js";
import { element, setText } from "./element.js";

/** The questions that wait for an answer. The first answer counts, wherever it is given: `take` takes it away then. */
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

  /** Gives what is shown of it, when that is new. */
  take(ask) {
    if (ask.outcome !== undefined) this.#takeAway(ask.askId);
    else if (ask.requiresApproval && !this.#open.has(ask.askId)) return this.#show(ask);
    return undefined;
  }

  close() {
    this.#open.clear();
    this.#box.replaceChildren();
  }

  #show(ask) {
    const why = this.#mayAnswer ? answeredElsewhere(ask) : "Your token may not answer it.";
    const form = why ? onlyShown(ask, why) : askForm(ask, (given) => this.#answer(ask, given));
    this.#open.set(ask.askId, form);
    this.#box.append(form);
    return form;
  }

  #takeAway(askId) {
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
  return element("section", { class: "ask" }, ...aboutAsk(ask), element("p", {}, why));
}

function askForm(ask, send) {
  const { fields, read, yes, no, takesReason } = fieldsOf(ask);
  const problem = element("p", { class: "error", role: "alert" });
  const remember = element("input", { type: "checkbox" });
  const fromNowOn = element("label", {}, remember, " From now on, without being asked");
  const reason = reasonField(deny);
  // Where a reason may be typed no key submits: Enter there says no, and yes is only the button's.
  const yesButton = takesReason
    ? element("button", { type: "button", class: "primary", on: { click: approve } }, yes)
    : element("button", { type: "submit", class: "primary" }, yes);
  const noButton = no && element("button", { type: "button", on: { click: deny } }, no);
  const form = element(
    "form",
    { class: ask.danger ? "ask danger" : "ask", tabindex: "-1", on: { submit } },
    ...aboutAsk(ask),
    ...fields,
    ...(ask.allowRemember ? [fromNowOn] : []),
    element(
      "div",
      { class: "row answers" },
      yesButton,
      ...(noButton ? [noButton] : []),
      ...(takesReason ? [reason] : []),
    ),
    problem,
  );

  function submit(event) {
    event.preventDefault();
    if (!takesReason) approve();
  }

  function approve() {
    give({ approved: true, ...read(), ...(remember.checked && { remember: true }) });
  }

  function deny() {
    const because = reason.value.trim();
    give({ approved: false, ...(because && { reason: because }) });
  }

  async function give(given) {
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true"; // a button that is disabled would lose the focus
    try {
      await send(given);
    } catch (error) {
      setText(problem, error.message);
      form.ariaBusy = "false";
    }
  }
  return form;
}

function reasonField(deny) {
  function keydown(event) {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    deny();
  }
  return element("input", {
    type: "text",
    "aria-label": "Reason, if you deny it",
    placeholder: "Reason to deny it",
    autocomplete: "off",
    on: { keydown },
  });
}
