import { saveFile } from "./save-file.js";

/** Saves the code of the version that is shown as a file; of the latest where none can be. */
export async function exportCode(tab, calls) {
  const { code } = await calls.version(tab.sessionId, tab.shown ?? tab.latest);
  saveFile(`${nameOf(tab.title)}.tsx`, new Blob([code]));
}

const nameOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "") || "interface";
