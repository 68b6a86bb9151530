import { element } from "../element.js";

/** Where a person says what should be different. */
export function promptForm(send) {
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
