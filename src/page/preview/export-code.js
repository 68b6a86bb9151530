import { saveFile } from "./save-file.js";

/** Saves the code of the version that is shown as a file. */
export async function exportCode(tab, calls) {
  const { code } = await calls.version(tab.sessionId, tab.shown);
  saveFile(`${nameOf(tab.title)}.tsx`, new Blob([code]));
}

const nameOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "") || "interface";
