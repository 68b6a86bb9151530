import { Address } from "./address.ts";

// Only what is behind the # changes, as in a frame that may not go elsewhere.

const address = new Address("https://interface.invalid/");
const states: unknown[] = [null];

/** Who is told that the address changed. */
export const watchers: (() => void)[] = [];

function change(hash: string): void {
  const next = hash === "" || hash === "#" ? "" : `#${hash.replace(/^#/, "")}`;
  if (next === address.hash) return;
  address.hash = next;
  states.push(null);
  setTimeout(() => {
    for (const tell of watchers) tell();
  });
}

export const location = {
  origin: address.origin,
  protocol: address.protocol,
  host: address.host,
  hostname: address.hostname,
  port: "",
  pathname: address.pathname,
  search: "",
  ancestorOrigins: [],
  get hash() {
    return address.hash;
  },
  set hash(hash: string) {
    change(String(hash));
  },
  get href() {
    return address.href;
  },
  set href(href: string) {
    change(new Address(href, address).hash);
  },
  assign: (href: string) => change(new Address(href, address).hash),
  replace: (href: string) => change(new Address(href, address).hash),
  reload: () => {},
  toString: () => address.href,
};

const keep = (state: unknown, _: string, href?: string) => {
  states[states.length - 1] = state;
  if (href !== undefined) address.hash = new Address(href, address).hash;
};

export const history = {
  scrollRestoration: "auto",
  get length() {
    return states.length;
  },
  get state() {
    return states.at(-1);
  },
  pushState: (state: unknown, title: string, href?: string) => {
    states.push(null);
    keep(state, title, href);
  },
  replaceState: keep,
  back: () => {},
  forward: () => {},
  go: () => {},
};
