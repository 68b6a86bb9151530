import { byId, element } from "../element.js";

/** A dialog over the page. It is gone when it is closed, by a button, by Escape, or by whoever opened it. */
export function openDialog({ title, content, buttons = [], wide = false, onClose = () => {} }) {
  const heading = element("h2", { id: "dialog-title" }, title);
  const close = element("button", { type: "button", on: { click: () => dialog.close() } }, "Close");
  const problem = element("p", { class: "error", role: "alert" });
  const dialog = element(
    "dialog",
    { class: wide ? "wide" : "", "aria-labelledby": "dialog-title" },
    heading,
    element("div", { class: "dialog-content" }, ...content),
    problem,
    element("div", { class: "row dialog-buttons" }, ...buttons, close),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose();
  });
  byId("dialogs").append(dialog);
  dialog.showModal();
  return {
    close: () => dialog.close(),
    fail: (message) => problem.replaceChildren(message),
    setContent: (...parts) => dialog.querySelector(".dialog-content").replaceChildren(...parts),
  };
}
