import fc from "fast-check";

/** Lines that mean something to the reader, so that random documents have structure. */
const line = fc.oneof(
  fc.constantFrom(
    "# A",
    "## B ##",
    "### C (x)",
    "- item",
    "  - nested",
    "1. one",
    "| a | b |",
    "|---|---|",
    "```",
    "~~~",
    "<!-- x",
    "-->",
    "<!-- y --> z",
    "---",
    "===",
    "**Label**:",
    "**Why**: text",
    "> - quoted",
    "text that goes on",
    "  wrapped",
    "\uFEFF",
    "[NEEDS CLARIFICATION: a",
    "b]",
    "",
  ),
  fc.string({ maxLength: 30 }),
);
/** Documents of random lines, for the tests of everything that reads one. */
export const documents = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, ending, last]) => lines.join(ending) + (last ? ending : ""));
