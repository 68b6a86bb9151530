// These run in a browser.

/**
 * What a script of another website tries against a server, in a browser that is signed in there. Ports of one host are one site, so
 * the cookie goes along.
 */
export async function fromWebsite(server) {
  const outcome = (work) =>
    work.then(
      (value) => String(value),
      (error) => error.name,
    );
  const post = (headers, mode) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.create" });
    const sent = fetch(`${server}/rpc`, { method: "POST", body, headers, mode, credentials: "include" });
    return outcome(sent.then(({ type }) => type));
  };
  const read = (path, options) =>
    outcome(fetch(`${server}${path}`, { credentials: "include", ...options }).then((response) => response.text()));
  const first = (target, ...events) =>
    new Promise((resolve) => {
      for (const event of events) target.addEventListener(event, () => resolve(event));
    });
  const script = document.createElement("script");
  script.src = `${server}/auth/me`;
  const included = first(script, "load", "error");
  document.body.append(script);
  return {
    read: await read("/auth/me"),
    blind: await read("/auth/me", { mode: "no-cors" }),
    ticket: await read("/auth/tickets", { method: "POST", mode: "no-cors" }),
    json: await post({ "content-type": "application/json" }, "cors"),
    text: await post({ "content-type": "text/plain" }, "no-cors"),
    stream: await first(new EventSource(`${server}/stream/any`, { withCredentials: true }), "open", "error"),
    socket: await first(new WebSocket(`${server.replace("http", "ws")}/ui`), "open", "error"),
    script: await included,
  };
}

/** What markup would do that got into the page after all. Gives what the page's policy said to it. */
export function fromWithin(stranger) {
  const blocked = new Set();
  const add = (tag, attributes) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    document.body.append(made);
    return made;
  };
  return new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
      blocked.add(effectiveDirective);
      if (blocked.size === 5) resolve([...blocked].sort());
    });
    setTimeout(() => resolve([...blocked].sort()), 10_000);
    add("img", { src: `${stranger}/img` });
    add("script", { src: `${stranger}/js` });
    add("iframe", { src: stranger });
    add("button", { onclick: "document.title = 'owned'" }).click();
    fetch(stranger).catch(() => {});
  });
}
