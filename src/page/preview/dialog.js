import { byId, element, setText } from "../element.js";
import { whileBusy } from "./while-busy.js";

// There is one at a time: what is behind it cannot be clicked.

export const isDialogOpen = () => byId("dialogs").childElementCount > 0;

export const closeDialog = () => byId("dialogs").firstElementChild?.close();

/** A dialog over the page. It is gone when it is closed, by a button, by Escape, or by whoever opened it. */
export function openDialog({ title, content, buttons = [], wide = false }) {
  const heading = element("h2", { tabindex: "-1" }, title);
  const close = element("button", { type: "button", on: { click: () => dialog.close() } }, "Close");
  const problem = element("p", { class: "error", role: "alert" });
  const room = element("div", { class: "dialog-content" }, ...content);
  const dialog = element(
    "dialog",
    { class: wide ? "wide" : "", "aria-label": title },
    heading,
    room,
    problem,
    element("div", { class: "row dialog-buttons" }, ...buttons, close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  byId("dialogs").append(dialog);
  dialog.showModal();
  return {
    close: () => dialog.close(),
    /** What had the focus may be gone with what was there: it goes to where the new begins. */
    setContent: (...parts) => {
      room.replaceChildren(...parts);
      (room.querySelector("h3") ?? heading).focus();
    },
    /** Until it has ended the dialog can be closed, and nothing else. What it fails with is told here, and nothing comes of it. */
    during: async (work) => {
      setText(problem, "");
      const others = [...dialog.querySelectorAll("button")].filter((button) => button !== close);
      try {
        return await whileBusy(others, work);
      } catch (error) {
        setText(problem, error.message);
        return undefined;
      }
    },
  };
}
