import { element } from "../element.js";
import { plainText } from "../plain-text.js";

const KEPT_MS = 10_000;

/** Saves it under the last part of that name. */
export function saveFile(name, file) {
  const address = URL.createObjectURL(new Blob([file], { type: "application/octet-stream" }));
  element("a", { href: address, download: plainText(name).split(/[/\\]/).at(-1) || "file" }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
