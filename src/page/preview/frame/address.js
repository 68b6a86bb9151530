/**
 * Tells the page where in the interface a person is, which links lead out of it, since they are not followed here, and which files are to
 * be saved, which a frame without any rights cannot.
 */
export function watchAddress(link) {
  let told = "";
  const tell = () => {
    const { hash } = window.location;
    if (hash === told || hash.length > LONGEST) return;
    told = hash;
    link.send("UI_EVENT", { name: "route", detail: hash });
  };
  for (const name of ["pushState", "replaceState"]) {
    const change = window.history[name].bind(window.history);
    window.history[name] = (...given) => {
      change(...given);
      tell();
    };
  }
  for (const name of ["hashchange", "popstate"]) window.addEventListener(name, tell);
  const files = rememberFiles();
  window.addEventListener("click", (event) => leave(link, files, event));
}

const LONGEST = 2000;

/** The files that have an address, by it. */
function rememberFiles() {
  const files = new Map();
  const [make, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)];
  URL.createObjectURL = (file) => {
    const address = make(file);
    files.set(address, file);
    return address;
  };
  URL.revokeObjectURL = (address) => {
    files.delete(address);
    revoke(address);
  };
  return files;
}

/** A frame that leaves would leave for good. */
function leave(link, files, event) {
  const anchor = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  const address = anchor?.getAttribute("href") ?? "";
  if (event.defaultPrevented || address === "" || address.startsWith("#")) return;
  event.preventDefault();
  const file = files.get(anchor.href);
  const detail = (file ? anchor.download : anchor.href).slice(0, LONGEST);
  link.send("UI_EVENT", file instanceof Blob ? { name: "save", detail, file } : { name: "link", detail });
}
