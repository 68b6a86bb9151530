// The page: it draws what it is told, as text, and passes on what is clicked. Generated code runs in the frame and nowhere else.
const { desk } = window;
const at = (id) => document.getElementById(id);
let view = { tabs: [], asks: [], state: "stopped", log: [] };
let chosen;

const call = (name, ...args) => desk.call(name, ...args).catch((error) => say(`${error.message}`));
const say = (text) => at("state").replaceChildren(text);

function element(tag, text, about = {}) {
  const made = Object.assign(document.createElement(tag), about);
  made.append(text);
  return made;
}

const button = (text, act) => element("button", text, { type: "button", onclick: act });

/** What is the same stays as it is: what somebody reads or has the focus on is not taken from under them. */
function draw(id, key, children) {
  const there = at(id);
  const now = JSON.stringify(key);
  if (there.dataset.key === now) return;
  there.dataset.key = now;
  there.replaceChildren(...children());
}

function drawTab(tab) {
  const { messages, waiting, draft, versions } = tab;
  draw("messages", [tab.id, messages, waiting, draft], () => [
    ...messages.map(({ role, content, options = [] }, number) => {
      const said = element("li", content, { className: role });
      said.append(...options.map((option) => button(option, () => call("choose", tab.id, number, option))));
      return said;
    }),
    ...(draft ? [element("li", `${draft.slice(-400)}…`, { className: "waiting" })] : []),
    ...waiting.map((prompt) => element("li", `waits: ${prompt}`, { className: "waiting" })),
  ]);
  draw("versions", [tab.id, versions], () =>
    versions.map(({ number, kind, description }) => {
      const line = element("li", `${kind}: ${description} `);
      if (number < versions.length) line.append(button(`Back to ${number}`, () => call("rollback", tab.id, number)));
      return line;
    }),
  );
  const address = versions.length > 0 ? `interface://${tab.id}/${versions.length}` : "about:blank";
  if (at("frame").getAttribute("src") !== address) at("frame").setAttribute("src", address);
}

function drawAll(next) {
  view = next;
  const tab = view.tabs.find(({ id }) => id === chosen) ?? view.tabs.at(-1);
  chosen = tab?.id;
  say(`The runtime is ${view.state}`);
  at("start").hidden = !["stopped", "crashed"].includes(view.state);
  const choose = (id) => () => {
    chosen = id;
    drawAll(view);
  };
  const names = view.tabs.map(({ id, title }) => [id, title]);
  draw("tabs", [names, chosen], () =>
    names.flatMap(([id, title]) => [
      Object.assign(button(title, choose(id)), { ariaPressed: String(id === chosen) }),
      Object.assign(
        button("×", () => call("close", id)),
        { ariaLabel: `Close ${title}` },
      ),
    ]),
  );
  draw("asks", view.asks, () =>
    view.asks.map(({ askId, title, message }) => {
      const line = element("li", `${title} ${message} `);
      line.append(...[true, false].map((ok) => button(ok ? "Yes" : "No", () => call("answer", askId, ok))));
      return line;
    }),
  );
  draw("log", view.log, () => view.log.map(({ from, text }) => `${from}: ${text}\n`));
  if (tab) drawTab(tab);
  else for (const id of ["messages", "versions"]) draw(id, [], () => []);
}

at("open").onclick = () => call("open");
at("start").onclick = () => call("start");
at("say").onsubmit = (event) => {
  event.preventDefault();
  if (chosen === undefined) return say("Open an API first");
  call(event.submitter.value, chosen, at("words").value);
  at("say").reset();
};
desk.onChange(drawAll);
call("view").then((first) => first && drawAll(first));
