import { createHash } from "node:crypto";
import { DragomanError } from "../../core/errors.ts";
import { type DocumentName, documentLimits, documentNames } from "../documents.ts";
import type { Change, Saved, StoredDocument } from "./feature-store.ts";

/** The folder of all features. */
export const SPECS = "specs";

/** What a document's file may be called. The first is what a new one is called; spec-kit itself says `tasks.md`. */
export const fileNames: Record<DocumentName, readonly string[]> = {
  spec: ["spec.md"],
  plan: ["plan.md"],
  task: ["task.md", "tasks.md"],
};

const featureName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether it can be the name of a folder and of a branch alike. */
export const isFeatureName = (name: string) =>
  featureName.test(name) && !name.includes("..") && !/(\.lock|\.)$/i.test(name) && name.toUpperCase() !== "HEAD";

export function checkFeature(name: string): void {
  if (isFeatureName(name)) return;
  const shown = JSON.stringify(name.slice(0, 120));
  const rule = "up to 100 letters, digits, dots, dashes and underscores, such as 001-sign-in";
  throw new DragomanError("invalid_params", `${shown} cannot be the name of a feature. Use ${rule}.`);
}

/** The same for the same content, wherever it is kept. */
export const etagOf = (content: string) => createHash("sha256").update(content, "utf8").digest("hex").slice(0, 32);

/** In the order in which documents are always given. */
export const inOrder = (names: Iterable<DocumentName>) => {
  const wanted = new Set(names);
  return documentNames.filter((name) => wanted.has(name));
};

/** The text of a document's bytes, with a mark at its beginning if it has one: it is the same when it is written again. */
export function textIn(bytes: Uint8Array, name: DocumentName, path: string): string {
  if (bytes.length > documentLimits[name]) throw tooLarge(name, path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DragomanError("tool_failed", `${path} is not UTF-8 text. Save it as UTF-8, then try again.`);
  }
}

export function tooLarge(name: DocumentName, path: string): DragomanError {
  const most = `${documentLimits[name] / 1000} KB`;
  return new DragomanError("too_large", `${path} has more than ${most}, the most for a ${name}. Make it shorter.`);
}

/** What can be told of changes without a look at what is there. */
export function checkChanges(changes: readonly Change[]): void {
  if (changes.length === 0) throw new DragomanError("invalid_params", "There is nothing to save. Name a document.");
  const twice = changes.find(({ name }, at) => changes.findIndex((other) => other.name === name) !== at);
  if (twice) throw new DragomanError("invalid_params", `The ${twice.name} is there twice. Give each document once.`);
  for (const { name, content } of changes) {
    if (Buffer.byteLength(content) > documentLimits[name]) throw tooLarge(name, `The new ${name}`);
    if (content.isWellFormed()) continue;
    throw new DragomanError("invalid_params", `The new ${name} has half a character in it. Send whole characters.`);
  }
}

export type Etags = Map<DocumentName, string | undefined>;

/** The etags of the documents that changes are about; undefined for one that is not there. */
export function etagsOf(changes: readonly Change[], documents: readonly StoredDocument[]): Etags {
  return new Map(changes.map(({ name }) => [name, documents.find((one) => one.name === name)?.etag]));
}

/** Fails where a document is not what the caller says that it changes. */
export function checkIfMatch(changes: readonly Change[], etags: Etags): void {
  for (const { name, ifMatch } of changes) {
    const now = etags.get(name);
    if (ifMatch === undefined || (ifMatch ?? undefined) === now) continue;
    const why = now === undefined ? "is not there" : ifMatch === null ? "is there already" : "has changed";
    throw new DragomanError("precondition_failed", `The ${name} ${why}. Read it again, and change what is there now.`, {
      document: name,
      etag: now ?? null,
    });
  }
}

/** Fails where a document moved since it was first looked at. */
export function checkUnmoved(first: Etags, now: Etags): void {
  for (const [name, etag] of first) if (now.get(name) !== etag) throw movedError(name);
}

export const movedError = (name: DocumentName) =>
  new DragomanError("conflict", `The ${name} was changed by someone else while it was saved. Read it again.`);

/** Of a save that may have taken place. */
export const unknownOutcome = (feature: string, cause: unknown) =>
  new DragomanError(
    "timeout",
    `It is not known whether the documents of ${feature} are saved. Look at the branch ${feature} before you try again.`,
    undefined,
    { cause },
  );

export function notFound(feature: string, where: string): DragomanError {
  const message = `There is no document of ${feature} in ${where}. Write ${SPECS}/${feature}/spec.md first.`;
  return new DragomanError("document_not_found", message);
}

export const savedAs = (changes: readonly Change[], pathOf: (name: DocumentName) => string): Saved["documents"] =>
  changes.map(({ name, content }) => ({ name, path: pathOf(name), etag: etagOf(content) }));

export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DragomanError("cancelled", "It was called off before anything was saved.");
}

/** The first heading of a spec, without what spec-kit puts before the name. */
export function titleIn(spec: string): string | undefined {
  const line = spec.split("\n", 200).find((one) => one.startsWith("# "));
  const title = line
    ?.slice(2, 202)
    .replace(/^Feature Specification:/i, "")
    .trim();
  return title || undefined;
}
