import { element } from "../element.js";

const KEPT_MS = 10_000;

/** Saves it under the last part of that name. */
export function saveFile(name, file) {
  const address = URL.createObjectURL(new Blob([file], { type: "application/octet-stream" }));
  element("a", { href: address, download: name.split(/[/\\]/).at(-1) || "file" }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
