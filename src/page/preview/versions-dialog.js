import { element } from "../element.js";
import { openDialog } from "./dialog.js";
import { diffView } from "./diff-view.js";

const kinds = { generation: "Generated", customization: "Changed", rollback: "Reverted" };

/** The versions of a tab's interface, the newest first: to be looked at, compared, and gone back to. */
export function openVersions(tab, calls, { mayRevert }) {
  const dialog = openDialog({ title: "Versions", content: [list()], wide: true });

  function list() {
    const items = tab.versions.toReversed().map((one) => versionItem(one));
    return element("ol", { class: "versions", reversed: true }, ...items);
  }

  function versionItem({ version, kind, at, prompt, description, by, assumptions = [] }) {
    const isShown = version === tab.shown;
    const isLatest = version === tab.latest;
    const marks = [isLatest && "latest", isShown && "shown now"].filter(Boolean);
    const made = `${kinds[kind] ?? kind}${by === undefined ? "" : ` by ${by}`}`;
    const about = [made, new Date(at).toLocaleString(), ...marks].join(" · ");
    return element(
      "li",
      { value: String(version), "aria-current": isShown && "true" },
      element("p", { class: "title" }, `Version ${version}: ${kind === "customization" ? prompt : description}`),
      element("p", { class: "quiet" }, about),
      ...(kind === "customization" ? [element("p", {}, description)] : []),
      ...assumptions.map((one) => element("p", { class: "quiet" }, `Assumed: ${one}`)),
      element(
        "div",
        { class: "row" },
        button("Show", `Show version ${version}`, () => show(version)),
        ...(version > 1 ? [button("Changes", `Changes of version ${version}`, () => changes(version))] : []),
        ...(isLatest || !mayRevert
          ? []
          : [button(`Revert to version ${version} …`, undefined, () => consider(version))]),
      ),
    );
  }

  function show(version) {
    dialog.close();
    tab.show(version);
  }

  async function changes(version) {
    const diff = await dialog.during(() => calls.diff(tab.sessionId, version - 1, version));
    if (diff !== undefined) dialog.setContent(heading(`What version ${version} changed`), diffView(diff), back());
  }

  /** With what would be different, before it is done. */
  async function consider(version) {
    const diff = await dialog.during(() => calls.diff(tab.sessionId, tab.latest, version));
    if (diff === undefined) return;
    const act = () => dialog.during(() => goBack(version));
    const revert = button(`Revert to version ${version}`, undefined, act, "primary");
    const words = `The interface becomes what it was in version ${version}, as a new version. Nothing is lost.`;
    dialog.setContent(element("p", {}, words), diffView(diff), element("div", { class: "row" }, revert, back()));
    revert.focus();
  }

  async function goBack(version) {
    const { description } = await calls.revert(tab.sessionId, version);
    dialog.close();
    tab.note(description || `Reverted to version ${version}.`);
    await tab.refresh();
  }

  const back = () => button("All versions", undefined, () => dialog.setContent(list()));
  const heading = (words) => element("h3", { tabindex: "-1" }, words);
}

function button(words, label, click, kind = "small") {
  return element("button", { type: "button", class: kind, "aria-label": label, on: { click } }, words);
}
