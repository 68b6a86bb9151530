import { element } from "../element.js";
import { openDialog } from "./dialog.js";
import { connect, disconnect, forget } from "./preview-server.js";
import { schemeFields } from "./scheme-fields.js";

const LIVE = "The interface works with live data: what is changed there is changed.";
const HELD = "It is connected, and shows sample data all the same: what others made gets live data when you say so.";
const SAMPLE = "The interface shows sample data. Connect it to work with the API itself.";
const KEPT =
  "Credentials are kept by Dragoman on its machine, encrypted, and added to requests there. No page gets them back, and the interface never sees them.";

/** Where the API is, and who one is there. It stands outside of the frame, so that the interface sees nothing of it. */
export function openConnection(tab) {
  const { server, servers, auth, kept } = tab.about;
  const address = addressField(server ?? servers[0] ?? "", servers);
  const schemes = auth.map((scheme) => schemeFields(scheme));
  const forgetting = action("Forget credentials", () => forget(originOf(address.input.value)));
  const showKept = () => {
    const origin = originOf(address.input.value);
    const held = kept.find((one) => one.origin === origin)?.schemes ?? [];
    for (const { id, setKept } of schemes) setKept(held.find((one) => one.id === id));
    // Where it is connected to, that ends as well, and the button says so.
    forgetting.hidden = held.length === 0 || (server !== null && origin === originOf(server));
  };
  address.input.addEventListener("input", showKept);
  showKept();
  const now = tab.connection.mode === "live" ? LIVE : server ? HELD : SAMPLE;
  const form = element(
    "form",
    { class: "connection", id: "connection-form", autocomplete: "off", on: { submit } },
    element("p", {}, now),
    address.box,
    ...schemes.map(({ box }) => box),
    ...(schemes.length > 0 ? [element("p", { class: "quiet" }, KEPT)] : []),
  );
  const go = element(
    "button",
    { type: "submit", form: "connection-form", class: "primary" },
    server ? "Reconnect" : "Connect",
  );
  const ends = server
    ? [
        action("Back to sample data", () => disconnect(tab.sessionId)),
        action("Disconnect and forget credentials", () => disconnect(tab.sessionId, { forget: true })),
      ]
    : [];
  const dialog = openDialog({ title: "Connect to the API", content: [form], buttons: [go, ...ends, forgetting] });
  address.input.select();

  function action(words, work) {
    return element("button", { type: "button", on: { click: () => done(work) } }, words);
  }

  function submit(event) {
    event.preventDefault();
    const given = schemes.flatMap(({ id, read }) => {
      const credential = read();
      return credential === undefined ? [] : [[id, credential]];
    });
    done(() => connect(tab.sessionId, address.input.value.trim(), Object.fromEntries(given)));
  }

  function done(work) {
    return dialog.during(async () => {
      await work();
      for (const { clear } of schemes) clear();
      dialog.close();
      await tab.loadConnection();
    });
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

function originOf(address) {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
