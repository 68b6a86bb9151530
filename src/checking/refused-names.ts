// What generated code has no business with. The sandbox of the frame refuses most of it as well, and is the wall: this only says so
// earlier, and in words.

/** Names of the browser that stand for the window itself. None of them may be handed on, only asked for one of its parts. */
export const WINDOWS = new Set(["window", "self", "globalThis", "frames"]);

/** Globals, whether they are named alone or as parts of a window. */
const globals: Record<string, string> = {
  eval: "eval",
  Function: "Function",
  parent: "window.parent",
  top: "window.top",
  opener: "window.opener",
  frameElement: "window.frameElement",
  localStorage: "localStorage",
  sessionStorage: "sessionStorage",
  indexedDB: "indexedDB",
  caches: "caches",
  cookieStore: "cookieStore",
};

/** Loaders of modules, which a bundler would follow. */
const loaders: Record<string, string> = { require: "require", importScripts: "importScripts" };

const ofDocument: Record<string, string> = { cookie: "document.cookie", domain: "document.domain" };

/** These lead from any function to the compiler, or from any element to a window. */
const ofAnything: Record<string, string> = {
  constructor: ".constructor",
  eval: "eval",
  defaultView: ".defaultView",
  ownerDocument: ".ownerDocument",
  contentWindow: ".contentWindow",
  contentDocument: ".contentDocument",
};

const named = (table: Record<string, string>, name: string) => (Object.hasOwn(table, name) ? table[name] : undefined);

export const refusedGlobal = (name: string) => named(globals, name) ?? named(loaders, name);
export const refusedOfAnything = (name: string) => named(ofAnything, name);
export const refusedOfDocument = (name: string) => named(ofDocument, name) ?? refusedOfAnything(name);

export function refusedOfWindow(name: string): string | undefined {
  return WINDOWS.has(name) ? `window.${name}` : (refusedGlobal(name) ?? refusedOfAnything(name));
}

/** What a module may be made of besides its own code. */
export const ALLOWED_IMPORTS = ["react", "react-dom", "react-dom/client", "react/jsx-runtime"];

/** By such comments the bundler would have elements made by something else than React, and the compiler read other files. */
export const REFUSED_COMMENT = /@jsx(?:Frag|Runtime|ImportSource)?\b|^\/\s*<\s*reference\b/i;
