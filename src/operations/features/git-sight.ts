import { realpath } from "node:fs/promises";
import type { DocumentName } from "../documents.ts";
import { SPECS } from "./document-content.ts";
import { documentsIn, hasFolder } from "./document-files.ts";
import type { StoredDocument } from "./feature-store.ts";
import type { BranchFacts, GitRepository, TreeDocument } from "./git-repository.ts";

/** A document, and whether it is the working tree's copy that counts. */
export interface SeenDocument extends StoredDocument {
  from: "tree" | "file";
  /** What git has it as, where it has it. */
  mode?: string;
}

/**
 * What there is of a feature, and where:
 * - `here`: its branch is checked out in this working tree. The files are the documents, as the user sees them.
 * - `elsewhere`: it is checked out in another working tree, which is not ours to write to. Its commits are read.
 * - `branch`: nowhere checked out. Its commits have the documents, but see `counted`.
 * - `new`: there is no branch yet. The documents are the files of the working tree, if its folder is there, or else those of HEAD.
 */
export interface Sight {
  at: "here" | "elsewhere" | "branch" | "new";
  facts: BranchFacts;
  /** The commit that a new one is put upon; nothing before the first. */
  base?: string;
  documents: SeenDocument[];
}

export const featureFolder = (feature: string) => `${SPECS}/${feature}`;

export async function lookAt(
  repository: GitRepository,
  feature: string,
  names: readonly DocumentName[],
  remote: string,
): Promise<Sight> {
  const facts = await repository.branch(feature, remote);
  const ref = await repository.headRef();
  const [path, { workspace: root }] = [featureFolder(feature), repository.place];
  const worktree = facts.worktree === undefined ? undefined : await realpath(facts.worktree);
  if (ref === `refs/heads/${feature}` || worktree === repository.place.top) {
    const documents = await documentsIn({ root, path }, names);
    return { at: "here", facts, base: facts.tip, documents: await withModes(repository, facts.tip, documents) };
  }
  const base = facts.tip ?? facts.remoteTip;
  if (base === undefined) return lookAtNew(repository, facts, path, names);
  const inTree = await repository.documentsAt(base, path, names);
  if (worktree !== undefined) return { at: "elsewhere", facts, base, documents: inTree.map(fromTree) };
  const documents = await counted(repository, base, path, inTree, names);
  return { at: "branch", facts, base, documents };
}

async function lookAtNew(
  repository: GitRepository,
  facts: BranchFacts,
  path: string,
  names: readonly DocumentName[],
): Promise<Sight> {
  const folder = { root: repository.place.workspace, path };
  const base = await repository.headCommit();
  if (await hasFolder(folder)) {
    const documents = await documentsIn(folder, names);
    return { at: "new", facts, base, documents: await withModes(repository, base, documents) };
  }
  const inTree = base === undefined ? [] : await repository.documentsAt(base, path, names);
  return { at: "new", facts, base, documents: inTree.map(fromTree) };
}

/**
 * Whether the branch is there and is not the feature's: neither it, nor what is checked out, nor the working tree has anything of the
 * feature. Someone made it for something else.
 */
export async function isForeign(repository: GitRepository, feature: string, sight: Sight): Promise<boolean> {
  if (sight.base === undefined || sight.at === "new" || sight.documents.length > 0) return false;
  const path = featureFolder(feature);
  if (await hasFolder({ root: repository.place.workspace, path })) return false;
  for (const commit of [sight.base, await repository.headCommit()]) {
    if (commit !== undefined && (await repository.hasFolderAt(commit, path))) return false;
  }
  return true;
}

const fromTree = ({ blob: _, ...document }: TreeDocument): SeenDocument => ({ ...document, from: "tree" });

async function withModes(
  repository: GitRepository,
  base: string | undefined,
  documents: StoredDocument[],
): Promise<SeenDocument[]> {
  const modes =
    base === undefined
      ? new Map()
      : await repository.modesAt(
          base,
          documents.map(({ path }) => path),
        );
  return documents.map((document) => ({ ...document, from: "file", mode: modes.get(document.path) }));
}

/**
 * The branch counts, unless someone has written in the working tree meanwhile: a copy there counts that is committed neither on the
 * branch that is checked out nor was ever on the feature's. The copy from which the feature's branch was made is on it, so it is
 * not taken for news.
 */
async function counted(
  repository: GitRepository,
  tip: string,
  path: string,
  inTree: TreeDocument[],
  names: readonly DocumentName[],
): Promise<SeenDocument[]> {
  // What is in the way in the working tree has nothing to do with the branch.
  const files = await documentsIn({ root: repository.place.workspace, path }, names).catch(() => []);
  const head = files.length > 0 ? await repository.headCommit() : undefined;
  const seen = await Promise.all(
    names.map(async (name): Promise<SeenDocument | undefined> => {
      const committed = inTree.find((one) => one.name === name);
      const file = files.find((one) => one.name === name);
      const isNews = file && file.etag !== committed?.etag && (await isUnknown(repository, tip, head, file));
      if (isNews) return { ...file, path: committed?.path ?? file.path, from: "file", mode: committed?.mode };
      return committed && fromTree(committed);
    }),
  );
  return seen.filter((one) => one !== undefined);
}

/** A copy may have other line ends than what was committed of it, by the user's own settings. */
async function isUnknown(repository: GitRepository, tip: string, head: string | undefined, file: StoredDocument) {
  for (const content of new Set([file.content, file.content.replaceAll("\r\n", "\n")])) {
    const blob = await repository.blobOf(content, { write: false });
    if (head !== undefined && (await repository.blobAt(head, file.path)) === blob) return false;
    if (await repository.hasKnown(tip, file.path, blob)) return false;
  }
  return true;
}
