import "./globals.ts";
import * as dom from "linkedom/worker";
import { Controller, Exception, Signal } from "./abort.ts";
import { Address } from "./address.ts";
import { clone } from "./clone.ts";
import { abilities, type PageElement, selection } from "./element-abilities.ts";
import { guarded } from "./failures.ts";
import { Content, FormEntries, NamedContent } from "./files.ts";
import { intl } from "./intl.ts";
import { history, location, watchers } from "./location.ts";
import { SearchParams } from "./search-params.ts";
import { atob, btoa, Decoder, Encoder } from "./texts.ts";

// A page in memory, and what a browser has around it. Nothing of it is drawn, and nothing leads out of it.

const { document } = dom.parseHTML(
  '<!doctype html><html lang="en"><head></head><body><div id="root"></div></body></html>',
);

const nothing = () => {};

class Observer {
  observe = nothing;
  unobserve = nothing;
  disconnect = nothing;
  takeRecords = () => [];
}

function events() {
  const target = new dom.EventTarget();
  return {
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
  };
}

const windowEvents = events();
watchers.push(() => guarded(() => windowEvents.dispatchEvent(new dom.Event("hashchange"))));

const around = {
  location,
  history,
  navigator: { userAgent: "", platform: "", language: "en", languages: ["en"], onLine: true, maxTouchPoints: 0 },
  screen: { width: 1280, height: 800 },
  innerWidth: 1280,
  innerHeight: 800,
  devicePixelRatio: 1,
  scrollX: 0,
  scrollY: 0,
  scrollTo: nothing,
  scrollBy: nothing,
  matchMedia: (media: string) => ({
    ...{ media, matches: false, onchange: null, addListener: nothing, removeListener: nothing },
    ...events(),
  }),
  getComputedStyle: ({ style }: { style: object }) => style,
  getSelection: () => selection,
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
  MutationObserver: Observer,
  PerformanceObserver: Observer,
  CSS: { supports: () => false, escape: (text: string) => text.replace(/[^\w-]/g, "\\$&") },
  // As where no network is.
  fetch: () => Promise.reject(new TypeError("Failed to fetch")),
};

const language = {
  Intl: intl,
  URL: Address,
  URLSearchParams: SearchParams,
  AbortController: Controller,
  AbortSignal: Signal,
  DOMException: Exception,
  Blob: Content,
  File: NamedContent,
  FormData: FormEntries,
  TextEncoder: Encoder,
  TextDecoder: Decoder,
  structuredClone: clone,
  atob,
  btoa,
};

Object.assign(globalThis, dom.Facades, dom.HTMLClasses, dom, { document }, windowEvents, around, language);

const { focused, ...methods } = abilities();
const inherited = Object.entries(methods).filter(([name]) => name in dom.HTMLElement.prototype);
Object.assign(dom.Element.prototype, methods);
Object.assign(dom.HTMLElement.prototype, Object.fromEntries(inherited));
for (const which of ["offset", "client", "scroll"]) {
  for (const side of ["Width", "Height", "Top", "Left"]) {
    Object.defineProperty(dom.Element.prototype, which + side, { value: 0, writable: true });
  }
}

Object.defineProperties(document, {
  defaultView: { value: globalThis },
  activeElement: { get: () => focused() ?? document.body },
  hasFocus: { value: () => true },
  visibilityState: { value: "visible" },
  getSelection: { value: () => selection },
});

export { location };

export const root = document.getElementById("root") as unknown as PageElement;
