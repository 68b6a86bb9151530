/**
 * What the arguments of a call that runs a command say; nothing of a call that runs none. The `description` is what the agent says of it,
 * where that is more than the command over again.
 */
export function commandIn(args) {
  if (typeof args?.command !== "string") return undefined;
  const { command, description, ...others } = args;
  if (description === undefined) return { command, others };
  if (typeof description !== "string") return { command, others: { description, ...others } };
  return { command, description: repeats(description, command) ? undefined : description.trim(), others };
}

/** Also by its beginning, or as "Run …". */
function repeats(description, command) {
  const words = (text) => text.replace(/\s+/g, " ").trim();
  const said = words(description)
    .replace(/^run:? /i, "")
    .replace(/ ?(?:…|\.\.\.)$/, "")
    .replace(/^`(.*)`$/, "$1");
  return said === "" || words(command).startsWith(said);
}

/** Arguments as lines, each a name and its value. No value can look like a line of its own: what has several is JSON. */
export function argLines(args) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return asJson(args);
  return Object.entries(args)
    .map(
      ([name, value]) => `${/^[\w.-]+$/.test(name) ? name : asJson(name)}: ${isOneLine(value) ? value : asJson(value)}`,
    )
    .join("\n");
}

const isOneLine = (value) => typeof value === "string" && /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(value);

const asJson = (value) => JSON.stringify(value, undefined, 2) ?? "";
