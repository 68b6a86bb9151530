import { argLines, commandIn } from "./command-args.js";
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
    const { line, more } = aboutCall(args);
    const summary = element("summary", {}, element("code", {}, toolName), " ", line, " ", this.#status);
    summary.addEventListener("click", () => {
      this.#opened = undefined;
    });
    this.box = element("details", { class: "call" }, summary, element("pre", {}, more), this.#output, this.#result);
  }

  take({ status, output, result, error }) {
    this.box.dataset.status = status;
    setText(this.#status, statusWords[status] ?? status);
    if (output !== undefined) this.#write(output);
    const outcome = error ?? (result === undefined ? undefined : this.#shownResult(result));
    if (outcome !== undefined) this.#result.replaceChildren(text(outcome));
    if (status !== "running") this.#finish(status);
  }

  close() {
    this.#end.close();
  }

  /** A command's result has its output in it, which was shown as it came. */
  #shownResult(result) {
    if (typeof result?.text !== "string") return shown(result);
    const { text: whole, ...others } = result;
    const output = this.#output.textContent.trim();
    const rest = plainText(whole).trim();
    const said = output !== "" && rest.startsWith(output) ? rest.slice(output.length).trim() : rest;
    return cut([said, argLines(others)].filter(isTelling).join("\n"));
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

const LONGEST_LINE = 100;

/** What a call is about, in a line; and what the line does not say. */
function aboutCall(args) {
  const run = commandIn(args);
  const values = typeof args === "object" && args !== null ? Object.values(args) : [args];
  const telling = (run ? [run.command, run.description] : values).filter(isTelling);
  const whole = telling.join(" · ");
  const oneLine = whole.replace(/\s+/g, " ");
  const line = oneLine.length > LONGEST_LINE ? `${oneLine.slice(0, LONGEST_LINE)}…` : oneLine;
  if (!run) return { line, more: shown(args) };
  const rest = [...(line === whole ? [] : telling), argLines(run.others)];
  return { line, more: cut(rest.filter(isTelling).join("\n\n")) };
}

const isTelling = (value) => typeof value === "string" && value !== "";
