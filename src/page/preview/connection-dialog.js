import { element } from "../element.js";
import { openDialog } from "./dialog.js";
import { connect, disconnect } from "./preview-server.js";

const LIVE = "The interface works with live data: what is changed there is changed.";
const SAMPLE = "The interface shows sample data. Connect it to work with the API itself.";
const KEPT =
  "Credentials are kept by Dragoman on its machine, encrypted, and added to requests there. No page gets them back, and the interface never sees them.";

/** Where the API is, and who one is there. It stands outside of the frame, so that the interface sees nothing of it. */
export function openConnection(tab) {
  const { server, servers, auth, kept } = tab.about;
  const address = addressField(server ?? servers[0] ?? "", servers);
  const schemes = auth.map((scheme) => schemeFields(scheme));
  const showKept = () => {
    const origin = originOf(address.input.value);
    const held = kept.find((one) => one.origin === origin)?.schemes ?? [];
    for (const { id, setKept } of schemes) setKept(held.find((one) => one.id === id));
  };
  address.input.addEventListener("input", showKept);
  showKept();
  const form = element(
    "form",
    { class: "connection", id: "connection-form", autocomplete: "off", on: { submit } },
    element("p", {}, server ? LIVE : SAMPLE),
    address.box,
    ...schemes.map(({ box }) => box),
    ...(schemes.length > 0 ? [element("p", { class: "quiet" }, KEPT)] : []),
  );
  const go = element(
    "button",
    { type: "submit", form: "connection-form", class: "primary" },
    server ? "Reconnect" : "Connect",
  );
  const leave = (words, options) =>
    element("button", { type: "button", on: { click: () => done(() => disconnect(tab.sessionId, options)) } }, words);
  const ends = server
    ? [leave("Back to sample data"), leave("Disconnect and forget credentials", { forget: true })]
    : [];
  const dialog = openDialog({ title: "Connect to the API", content: [form], buttons: [go, ...ends] });
  address.input.select();

  function submit(event) {
    event.preventDefault();
    const given = schemes.flatMap(({ id, read }) => {
      const credential = read();
      return credential === undefined ? [] : [[id, credential]];
    });
    done(() => connect(tab.sessionId, address.input.value.trim(), Object.fromEntries(given)));
  }

  async function done(work) {
    try {
      await work();
      for (const { clear } of schemes) clear();
      dialog.close();
      await tab.loadConnection();
    } catch (error) {
      dialog.fail(error.message);
    }
  }
}

function addressField(value, servers) {
  const input = element("input", {
    id: "connection-server",
    type: "url",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "https://api.example.com",
    pattern: "https?://.+",
    title: "It begins with http:// or https://",
    list: "connection-servers",
  });
  input.value = /^https?:\/\//i.test(value) ? value : "";
  const options = servers.map((one) => element("option", { value: one }));
  const list = element("datalist", { id: "connection-servers" }, ...options);
  const hint = element("p", { class: "quiet", id: "connection-hint" }, "Requests go to this address, and to no other.");
  input.setAttribute("aria-describedby", "connection-hint");
  const box = element("div", { class: "field" }, element("label", { for: input.id }, "Server"), input, hint, list);
  return { input, box };
}

/** The inputs for one scheme. What is left empty stays as it is kept. */
function schemeFields(scheme) {
  const { id, label, kind, description } = scheme;
  const inputs =
    kind === "basic"
      ? { username: secretInput("User name", "text"), password: secretInput("Password", "password") }
      : { token: secretInput(kind === "apiKey" ? "Key" : "Token", "password") };
  const kept = element("p", { class: "quiet", role: "status" });
  const box = element(
    "fieldset",
    {},
    element("legend", {}, label),
    ...(description ? [element("p", { class: "quiet" }, description.slice(0, 300))] : []),
    ...Object.values(inputs).map(({ box: field }) => field),
    kept,
  );
  return {
    id,
    box,
    read: () => {
      const values = Object.entries(inputs).map(([name, { input }]) => [name, input.value]);
      return values.some(([, value]) => value !== "") ? Object.fromEntries(values) : undefined;
    },
    clear: () => {
      for (const { input } of Object.values(inputs)) input.value = "";
    },
    setKept: (held) => {
      kept.textContent = held
        ? `Something was set on ${new Date(held.setAt).toLocaleString()}. Leave it empty to keep it.`
        : "";
    },
  };
}

let ids = 0;

function secretInput(label, type) {
  ids += 1;
  const input = element("input", { id: `secret-${ids}`, type, autocomplete: "off", spellcheck: "false" });
  return { input, box: element("div", { class: "field" }, element("label", { for: input.id }, label), input) };
}

function originOf(address) {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
