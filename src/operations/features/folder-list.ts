import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type DocumentName, documentNames } from "../documents.ts";
import { fileNames, isFeatureName, SPECS, titleIn } from "./document-content.ts";

const HEAD_BYTES = 8 * 1024;

interface FolderFeature {
  documents: DocumentName[];
  title?: string;
}

/** The features whose documents are files in the workspace. Links are not followed, and what cannot be read is not there. */
export async function folderFeatures(workspace: string, limit: number): Promise<Map<string, FolderFeature>> {
  const root = join(workspace, SPECS);
  const entries = await readdirIn(workspace, SPECS);
  const names = entries.filter((entry) => entry.isDirectory() && isFeatureName(entry.name)).map(({ name }) => name);
  const found = new Map<string, FolderFeature>();
  for (const feature of names.sort()) {
    if (found.size >= limit) break;
    const files = new Set((await readdirIn(root, feature)).filter((entry) => entry.isFile()).map(({ name }) => name));
    const documents = documentNames.filter((name) => fileNames[name].some((file) => files.has(file)));
    if (documents.length === 0) continue;
    const title = documents.includes("spec") ? await titleOf(join(root, feature, "spec.md")) : undefined;
    found.set(feature, { documents, ...(title ? { title } : {}) });
  }
  return found;
}

async function readdirIn(folder: string, name: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // Of a link there is nothing to be seen here.
  if (!entries.some((entry) => entry.name === name && entry.isDirectory())) return [];
  return readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
}

async function titleOf(path: string): Promise<string | undefined> {
  const handle = await open(path).catch(() => undefined);
  try {
    const read = await handle?.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return read && titleIn(read.buffer.subarray(0, read.bytesRead).toString("utf8"));
  } catch {
    return undefined; // a list does without it
  } finally {
    await handle?.close();
  }
}
