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
  window.addEventListener("error", ({ error, message }) => {
    // What throws while it is loaded never begins.
    if (link.hasBegun) reportError(link, error ?? message);
    else reportEnd(link, error ?? message);
  });
  window.addEventListener("unhandledrejection", ({ reason }) => reportError(link, reason));
}

/** Of something that the interface lives on with. */
export function reportError(link, error) {
  const { message, stack = message } = told(error);
  link.send("LOG", { level: "error", text: stack });
}

/** Of something that ends it. */
export function reportEnd(link, error) {
  link.fail(told(error));
}

function told(error) {
  const isError = error instanceof Error;
  const stack = isError && typeof error.stack === "string" ? cut(error.stack) : undefined;
  return { message: cut(isError ? error.message : shown(error)), stack };
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
