import { element } from "../element.js";

const MOST_LINES = 3000;
const kinds = { "+": "added", "-": "removed", "@": "place" };

/** A unified diff, with what was added and what was removed told apart by more than colour: each line keeps its sign. */
export function diffView(diff) {
  const lines = diff.trimEnd().split("\n").filter(isTelling);
  if (lines.length === 0) return element("p", {}, "Nothing is different.");
  const shown = lines.slice(0, MOST_LINES).map((line) => {
    return element("span", { class: kinds[line[0]] ?? "same" }, `${line}\n`);
  });
  const rest = lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more lines`] : [];
  const changed = (sign) => lines.filter((line) => line.startsWith(sign)).length;
  return element(
    "div",
    {},
    element("p", { class: "quiet" }, `${changed("+")} lines added, ${changed("-")} removed`),
    element("pre", { class: "diff", tabindex: "0", "aria-label": "Changes" }, ...shown, ...rest),
  );
}

/** The names of the files say nothing here. */
const isTelling = (line) => !/^(?:---|\+\+\+|=====|Index: |\\ No newline)/.test(line);
