import "./lock.js";
import { link } from "./link.js";

// Nothing of the interface comes before these.

import * as made from "interface";
import { createElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { watchAddress } from "./address.js";
import { Network } from "./network.js";
import { reportEnd, reportError } from "./reporting.js";

// Shows the generated interface in its frame, as the page around it says.

const ALIVE_MS = 1000;

watchAddress(link);
link.begin().then(show);

function show({ theme, connection }) {
  const began = performance.now();
  const state = newState({ theme, connection });
  const host = {
    connection: () => state.now.connection,
    theme: () => state.now.theme ?? undefined,
    openConnection: () => link.send("UI_EVENT", { name: "connect" }),
    subscribe: state.subscribe,
  };
  const network = new Network(link, newError);
  const root = createRoot(document.getElementById("root"), {
    onUncaughtError: (error) => reportEnd(link, error),
    onCaughtError: (error) => reportError(link, error),
  });
  // So that the page can tell an interface that does nothing from one that cannot do anything any more.
  const alive = setInterval(() => link.send("UI_EVENT", { name: "alive" }), ALIVE_MS);
  const handlers = {
    // Listeners are told of everything at once: the theme is the one that a person may have chosen in the interface since.
    RENDER_DATA: (payload) => state.change({ ...payload, theme: themeInSight() ?? state.now.theme }),
    THEME_CHANGE: state.change,
    /** A frame that was not seen may have been measured as nothing. */
    RESIZE: () => window.dispatchEvent(new Event("resize")),
    NETWORK_RESPONSE: (payload) => network.answer(payload),
    DESTROY: () => {
      clearInterval(alive);
      root.unmount();
      link.close();
    },
  };
  link.listen((type, payload) => handlers[type]?.(payload));
  const onShown = () => link.send("RENDER_COMPLETE", { ms: Math.round(performance.now() - began) });
  root.render(createElement(Shown, { transport: network.send, host, onShown }));
}

function Shown({ onShown, ...options }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(onShown, []);
  return createElement(made.default, options);
}

/** In the interface's own words, if it has some. */
const newError = (message) => (made.ApiError ? new made.ApiError("network", message) : new Error(message));

/** As a generated interface has it on its document; nothing where it has none. */
function themeInSight() {
  const { theme } = document.documentElement.dataset;
  return ["light", "dark", "system"].includes(theme) ? theme : undefined;
}

/** What the page said last, and who wants to hear of changes. */
function newState(now) {
  const listeners = new Set();
  return {
    now,
    change: (part) => {
      Object.assign(now, part);
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
