/** @typedef {import("dragoman/clients/operations").OperationMessage} OperationMessage */

/**
 * Puts a message at its place: one that was left out and read later comes where it belongs. All of it is shown as text.
 * @param {HTMLElement} list
 * @param {OperationMessage} message
 * @param {(askId: string, answer: string) => void} [answer]
 */
export function showMessage(list, message, answer) {
  const { sequence, type, content, metadata } = message;
  const row = document.createElement("li");
  row.className = type;
  row.dataset.sequence = String(sequence);
  row.append(type === "thinking" ? folded(content) : content);
  const { ask_id: askId, ask_kind: isQuestion, items, secret, allow_text: inWords } = metadata ?? {};
  if (answer && askId && isQuestion && items) row.append(options(items, inWords, choose));
  if (answer && askId && isQuestion && (!items || inWords)) row.append(field(secret, inWords, choose));
  if (askId && !isQuestion) endQuestion(list, askId);
  if (askId && isQuestion) row.dataset.ask = askId;
  list.insertBefore(row, sequence < 0 ? null : firstAfter(list, sequence));

  function choose(/** @type {string} */ given) {
    if (askId) answer?.(askId, given);
  }
}

/** @param {HTMLElement} list @param {number} sequence */
function firstAfter(list, sequence) {
  const rows = [...list.children].filter((row) => Number(/** @type {HTMLElement} */ (row).dataset.sequence) > sequence);
  return rows[0] ?? null;
}

/** @param {string} content */
function folded(content) {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = content.slice(0, 80);
  details.append(summary, content);
  return details;
}

/**
 * The one that stands for own words has a field in its place.
 * @param {{ id: string, label: string }[]} items @param {boolean | undefined} inWords @param {(given: string) => void} choose
 */
function options(items, inWords, choose) {
  const group = document.createElement("div");
  group.className = "options";
  for (const { id, label } of items.filter(({ id }) => !(inWords && id === "other"))) {
    const button = document.createElement("button");
    button.textContent = label;
    button.onclick = () => choose(id);
    group.append(button);
  }
  return group;
}

/** @param {boolean | undefined} secret @param {boolean | undefined} inWords @param {(given: string) => void} choose */
function field(secret, inWords, choose) {
  const form = document.createElement("form");
  const input = document.createElement("input");
  input.type = secret ? "password" : "text";
  input.ariaLabel = inWords ? "Your own words" : "Your answer";
  input.placeholder = inWords ? "or your own words" : "";
  input.required = inWords === true;
  const button = document.createElement("button");
  button.textContent = "Answer";
  form.append(input, button);
  form.onsubmit = (event) => {
    event.preventDefault();
    choose(input.value);
  };
  return form;
}

/** It was answered, here or elsewhere. @param {HTMLElement} list @param {string} askId */
function endQuestion(list, askId) {
  const row = [...list.children].find((one) => /** @type {HTMLElement} */ (one).dataset.ask === askId);
  for (const control of row?.querySelectorAll("button, input") ?? []) control.setAttribute("disabled", "");
}
