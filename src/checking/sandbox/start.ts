import "./page.ts"; // which React looks at while it is being loaded
import * as React from "react";
import * as jsxRuntime from "react/jsx-runtime";
import * as ReactDom from "react-dom";
import * as ReactDomClient from "react-dom/client";
import { currentScreen, enter, fail, failures, failWith } from "./failures.ts";
import { root } from "./page.ts";

export { step } from "./visits.ts";

type Module = { exports: { default?: unknown } };
type Load = (require: (name: string) => unknown, module: Module, exports: Module["exports"]) => void;

const modules: Record<string, unknown> = {
  react: React,
  "react/jsx-runtime": jsxRuntime,
  "react-dom": ReactDom,
  "react-dom/client": ReactDomClient,
};

function required(name: string): unknown {
  if (Object.hasOwn(modules, name)) return modules[name];
  throw new Error(`There is no module "${name}" here, nothing but React.`);
}

/** Loads the module and renders what it exports. */
export function open(load: Load): void {
  const module: Module = { exports: {} };
  try {
    load(required, module, module.exports);
  } catch (error) {
    failWith(error);
    return;
  }
  const App = module.exports.default;
  if (typeof App === "function") render(App as React.FC);
  else fail("nothing", "has no component as its default export");
}

function render(App: React.FC): void {
  enter("#/");
  const onError = (error: unknown, { componentStack }: React.ErrorInfo) => failWith(error, componentStack ?? "");
  const container = root as unknown as Element;
  const reactRoot = ReactDomClient.createRoot(container, { onCaughtError: onError, onUncaughtError: onError });
  reactRoot.render(React.createElement(App));
}

/** What happened so far. */
export const report = () => JSON.stringify({ failures, screen: currentScreen() });
