import { element, setText } from "./element.js";
import { EndInSight } from "./end-in-sight.js";
import { plainText } from "./plain-text.js";
import { cut, MOST_CHARACTERS, statusWords, text } from "./shown-text.js";

/** A call of a tool. It is open while it writes something, until someone folds it themself. */
export class ToolCall {
  box;
  #status = element("span", { class: "status" });
  #output = element("pre", { class: "output", tabindex: "0" });
  #result = element("div", { class: "result" });
  #end = new EndInSight(this.#output);
  /** Whether it was opened here, and by nobody else. */
  #opened = false;

  constructor({ toolName, args }) {
    const summary = element("summary", {}, element("code", {}, toolName), " ", preview(args), " ", this.#status);
    summary.addEventListener("click", () => {
      this.#opened = undefined;
    });
    this.box = element(
      "details",
      { class: "call" },
      summary,
      element("pre", {}, shown(args)),
      this.#output,
      this.#result,
    );
  }

  take({ status, output, result, error }) {
    this.box.dataset.status = status;
    setText(this.#status, statusWords[status] ?? status);
    if (output !== undefined) this.#write(output);
    const outcome = error ?? (result === undefined ? undefined : shown(result));
    if (outcome !== undefined) this.#result.replaceChildren(text(outcome));
    if (status !== "running") this.#finish(status);
  }

  close() {
    this.#end.close();
  }

  #write(output) {
    this.#output.textContent = (this.#output.textContent + plainText(output)).slice(-MOST_CHARACTERS);
    if (this.#opened === false) this.#opened = this.box.open = true;
    this.#end.keep();
  }

  #finish(status) {
    if (status === "failed") this.box.open = true;
    else if (this.#opened && this.#end.holds) this.box.open = false; // whoever has scrolled in it still reads
    this.close();
  }
}

function shown(value) {
  return cut(typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? ""));
}

/** What a call is about, in a line. */
function preview(args) {
  const values = typeof args === "object" && args !== null ? Object.values(args) : [args];
  const telling = values.filter((value) => typeof value === "string" && value !== "");
  const line = telling.join(" · ").replace(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
