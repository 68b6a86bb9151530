import { element } from "../element.js";

const BOTH = "Enter the user name and the password: together they take the place of what is kept.";

/** The inputs for one way to sign in to an API. What is left empty stays as it is kept. */
export function schemeFields({ id, label, kind, description }) {
  const inputs =
    kind === "basic"
      ? { username: secretInput("User name", "text"), password: secretInput("Password", "password") }
      : { token: secretInput(kind === "apiKey" ? "Key" : "Token", "password") };
  const fields = Object.values(inputs).map(({ input }) => input);
  const kept = element("p", { class: "quiet", role: "status" });
  let isKept = false;
  /** One alone would take the other away. Where there is nothing yet, an empty one may be meant. */
  const check = () => {
    const isPart = isKept && fields.some(({ value }) => value !== "");
    for (const field of fields) field.setCustomValidity(isPart && field.value === "" ? BOTH : "");
  };
  for (const field of fields) field.addEventListener("input", check);
  const box = element(
    "fieldset",
    {},
    element("legend", {}, label),
    ...(description ? [element("p", { class: "quiet" }, description.slice(0, 300))] : []),
    ...Object.values(inputs).map(({ box: field }) => field),
    kept,
  );
  return {
    id,
    box,
    read: () => {
      const values = Object.entries(inputs).map(([name, { input }]) => [name, input.value]);
      return values.some(([, value]) => value !== "") ? Object.fromEntries(values) : undefined;
    },
    clear: () => {
      for (const field of fields) field.value = "";
    },
    setKept: (held) => {
      isKept = held !== undefined;
      check();
      kept.textContent = held
        ? `Something was set on ${new Date(held.setAt).toLocaleString()}. Leave it empty to keep it.`
        : "";
    },
  };
}

let ids = 0;

function secretInput(label, type) {
  ids += 1;
  const input = element("input", { id: `secret-${ids}`, type, autocomplete: "off", spellcheck: "false" });
  return { input, box: element("div", { class: "field" }, element("label", { for: input.id }, label), input) };
}
