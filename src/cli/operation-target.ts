import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { DragomanError } from "../core/errors.ts";
import { isFeatureName } from "../operations/features/index.ts";

/** Whose documents an operation is about, as its turn says it. */
export type OperationTarget = { feature: string } | { file: string };

const featureDocument = /^specs\/([^/]+)\/(?:spec|plan|tasks?)\.md$/;
const documentEndings = ["", ".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc"];

/**
 * What the user named: a feature, by its name, its folder or one of its documents, or another file, by its path from where they are.
 * A feature need not be in the folder: it may be on its branch alone.
 */
export function operationTarget(given: string, workspace: string, cwd = process.cwd()): OperationTarget {
  const path = resolve(cwd, given);
  const kind = kindOf(path);
  if (kind === "file" && documentEndings.includes(extname(path).toLowerCase())) return documentAt(path, workspace);
  const inSpecs = dirname(path) === join(workspace, "specs") ? basename(path) : undefined;
  const feature = inSpecs ?? (isFeatureName(given) ? given : undefined);
  const isFeature = feature !== undefined && existsSync(join(workspace, "specs", feature));
  if (isFeature) return { feature };
  if (kind === "folder") {
    const message = `${given} is a folder, and no feature. Name a feature of specs/, or a file such as ${join(given, "spec.md")}.`;
    throw new DragomanError("invalid_params", message);
  }
  if (kind === "other") throw new DragomanError("invalid_params", `${given} is neither a file nor a feature.`);
  if (feature !== undefined && (kind === "file" || !/\.(md|markdown|txt)$/i.test(feature))) return { feature };
  if (kind === "file") {
    const message = `${given} is not a Markdown file. Name one, or a feature of specs/.`;
    throw new DragomanError("invalid_params", message);
  }
  throw new DragomanError("document_not_found", `There is no file ${given}. Name a file that is there, or a feature.`);
}

/** One session for a feature, however it is named: else two could work on the same documents. */
function documentAt(path: string, workspace: string): OperationTarget {
  const file = fromWorkspace(path, workspace);
  const [, feature = ""] = featureDocument.exec(file.split(sep).join("/")) ?? [];
  return isFeatureName(feature) ? { feature } : { file };
}

/** Where to work on what the user named, if they do not say: here, or for a file elsewhere in the repository or folder that it is in. */
export function operationWorkspace(given: string, here: string): string {
  const path = resolve(here, given);
  if (kindOf(path) !== "file") return here;
  const folder = dirname(realpathSync(path));
  if (folder === here || folder.startsWith(here + sep)) return here;
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, ".git"))) return above;
    if (dirname(above) === above) return folder;
  }
}

function kindOf(path: string): "file" | "folder" | "other" | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}

/** A path that leads out of the workspace stays whole. */
function fromWorkspace(path: string, workspace: string): string {
  const inside = relative(workspace, realpathSync(path));
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}
