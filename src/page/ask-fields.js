import { element } from "./element.js";

/** The fields of a question, and what they say. */
export function fieldsOf({ toolName, args }) {
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

/** The ids of the choice that stands for own words, and of that which leaves the question open. */
const [OWN_WORDS, LEFT_OPEN] = ["other", "skip"];
const LONGEST_OWN_WORDS = 2000;

function pickKind({ items = [], multi, allowText }) {
  const choices = items.map((item) => choiceOf(item, multi));
  const words = allowText ? ownWords(choices) : undefined;
  const box = element(
    "div",
    { class: "choices" },
    ...choices.map(({ shown }) => shown),
    ...(words ? [words.field] : []),
  );
  const picked = () => choices.filter(({ input }) => input.checked).map(({ id }) => id);
  const update = () => {
    const [first] = choices;
    if (first) first.input.required = !multi && !words?.isMeant();
    words?.update();
  };
  box.addEventListener("input", update);
  update();
  return {
    fields: [box],
    read: () => (words?.isMeant() ? { value: words.said(), ...others(picked()) } : { ids: picked() }),
    yes: "Take it",
    no: items.some(({ id }) => id === LEFT_OPEN) ? undefined : "None",
  };
}

/** Picked beside own words, which the server says no to: nothing is left out silently. */
function others(ids) {
  const rest = ids.filter((id) => id !== OWN_WORDS);
  return rest.length > 0 ? { ids: rest } : {};
}

function choiceOf({ id, label, detail }, multi) {
  const input = element("input", { type: multi ? "checkbox" : "radio", name: "choice" });
  const about = detail ? [element("span", { class: "quiet" }, ` ${detail}`)] : [];
  return { id, input, shown: element("label", {}, input, " ", label, ...about) };
}

/** A field beside the choices. Who types in it means it; who then picks something else means that. */
function ownWords(choices) {
  const other = choices.find(({ id }) => id === OWN_WORDS)?.input;
  const field = element("input", {
    type: "text",
    "aria-label": "In your own words",
    placeholder: "Or in your own words",
    autocomplete: "off",
    maxlength: LONGEST_OWN_WORDS,
    on: { input: typed },
  });

  function typed() {
    if (field.value.trim() === "") return;
    for (const { input } of choices) if (input.type === "radio") input.checked = false;
    if (other) other.checked = true;
  }
  const said = () => field.value.trim();
  return {
    field,
    said,
    isMeant: () => said() !== "" && (other?.checked ?? choices.every(({ input }) => !input.checked)),
    update: () => {
      field.required = other?.checked ?? false;
    },
  };
}
