const LONGEST = 4000;
const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" };

/** Tells the page what the interface writes to the console, and what goes wrong in it. */
export function reportTo(link) {
  const { console: own } = globalThis;
  for (const [name, level] of Object.entries(levels)) {
    const write = own[name].bind(own);
    own[name] = (...values) => {
      write(...values);
      link.send("LOG", { level, text: cut(values.map(shown).join(" ")) });
    };
  }
  window.addEventListener("error", ({ error, message }) => reportError(link, error ?? message));
  window.addEventListener("unhandledrejection", ({ reason }) => reportError(link, reason));
}

export function reportError(link, error) {
  const isError = error instanceof Error;
  const stack = isError && typeof error.stack === "string" ? cut(error.stack) : undefined;
  link.send("ERROR", { message: cut(isError ? error.message : shown(error)), stack });
}

const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Anything can be written, also what has no text. */
function shown(value) {
  try {
    if (typeof value === "string") return value;
    if (value instanceof Error) return String(value);
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "[something that cannot be shown]";
  }
}
