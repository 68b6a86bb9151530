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
