import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError, messageOf } from "../../core/errors.ts";
import { type DocumentName, documentLimits } from "../documents.ts";
import { etagOf, fileNames, textIn, tooLarge } from "./document-content.ts";
import type { StoredDocument } from "./feature-store.ts";

// A link that took the file's place since it was looked at is not followed, and a pipe without a writer is not waited for.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A folder with the documents of one feature: where it begins, and the way down to it. */
export interface DocumentFolder {
  /** A real path. */
  root: string;
  /** From the root, with slashes; empty for the root itself. */
  path: string;
  /** What its documents are called, where that is not as usual. */
  names?: Partial<Record<DocumentName, string>>;
}

export const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;

const isMissing = (error: unknown) => codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";

/** With a slash between, unless the first is empty. */
export const pathIn = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

/** The documents that are files in a folder. */
export async function documentsIn(folder: DocumentFolder, names: readonly DocumentName[]): Promise<StoredDocument[]> {
  const found = await Promise.all(names.map((name) => documentIn(folder, name)));
  return found.filter((one) => one !== undefined);
}

async function documentIn(folder: DocumentFolder, name: DocumentName): Promise<StoredDocument | undefined> {
  const own = folder.names?.[name];
  for (const file of own === undefined ? fileNames[name] : [own]) {
    const path = pathIn(folder.path, file);
    const bytes = await bytesAt(folder.root, path, documentLimits[name]);
    if (bytes === "too large") throw tooLarge(name, path);
    if (!bytes) continue;
    const content = textIn(bytes, name, path);
    return { name, path, content, etag: etagOf(content) };
  }
  return undefined;
}

/** What the folder is, seen without following any link: one may lead anywhere. */
export async function hasFolder({ root, path }: DocumentFolder): Promise<boolean> {
  return (await lookDown(root, path, "folder")) !== undefined;
}

/** Fails unless a file can be made or replaced there without following a link. */
export async function checkFilePlace(root: string, path: string): Promise<void> {
  await lookDown(root, path, "file");
}

async function bytesAt(root: string, path: string, most: number): Promise<Buffer | "too large" | undefined> {
  if (!(await lookDown(root, path, "file"))) return undefined;
  const handle = await open(join(root, path), FLAGS).catch((error) => {
    if (isMissing(error)) return undefined;
    throw codeOf(error) === "ELOOP" ? linkError(path) : fileError(error, path);
  });
  if (!handle) return undefined;
  try {
    if (!(await handle.stat()).isFile()) throw notAFile(path);
    return await boundedBytes(handle, most);
  } finally {
    await handle.close();
  }
}

async function boundedBytes(handle: Awaited<ReturnType<typeof open>>, most: number): Promise<Buffer | "too large"> {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= most; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(64 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return "too large";
}

/** Goes down a path part by part. Nothing where it ends early; fails where something is in the way. */
async function lookDown(root: string, path: string, wanted: "file" | "folder"): Promise<true | undefined> {
  const parts = path.split("/").filter((part) => part !== "");
  for (const at of parts.keys()) {
    const shown = parts.slice(0, at + 1).join("/");
    const stats = await lstat(join(root, shown)).catch((error) => {
      if (isMissing(error)) return undefined;
      throw fileError(error, shown);
    });
    if (!stats) return undefined;
    if (stats.isSymbolicLink()) throw linkError(shown);
    const isLast = at === parts.length - 1;
    if (isLast && wanted === "file" ? !stats.isFile() : !stats.isDirectory()) {
      if (!isLast || wanted === "folder")
        throw new DragomanError("tool_failed", `${shown} is not a folder. Rename it.`);
      throw notAFile(shown);
    }
  }
  return true;
}

const linkError = (path: string) =>
  new DragomanError("forbidden", `${path} is a link, which may lead anywhere. Put the folder or file itself there.`);

const notAFile = (path: string) =>
  new DragomanError("tool_failed", `${path} is not a regular file. Rename it, so that a document can be there.`);

/** What the system says about a file, as a person can use it. */
export function fileError(error: unknown, path: string): DragomanError {
  if (error instanceof DragomanError) return error;
  const why: Record<string, string> = {
    EACCES: "permission denied. Change its rights, or those of its folder",
    EPERM: "the system does not permit it",
    EROFS: "it lies on a read-only file system",
    ENOSPC: "there is no room left",
    ENOTDIR: "something above it is a file, not a folder",
  };
  const reason = why[codeOf(error) ?? ""] ?? messageOf(error);
  return new DragomanError("tool_failed", `${path} cannot be used: ${reason}.`, undefined, { cause: error });
}
