import { type DocumentName, documentNames } from "../documents.ts";
import { fileNames, inOrder, isFeatureName, SPECS, titleIn } from "./document-content.ts";
import type { FeatureInfo } from "./feature-store.ts";
import { folderFeatures } from "./folder-list.ts";
import type { GitRepository } from "./git-repository.ts";
import { featureFolder } from "./git-sight.ts";

const MOST_BRANCHES = 5000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Of a feature: which documents a commit has, and the blob of its spec. */
interface Committed {
  documents: Set<DocumentName>;
  spec?: string;
}

/** Features that have a folder in the working tree, in HEAD, or on a branch of their own. */
export async function listInGit(repository: GitRepository, limit: number, remote: string): Promise<FeatureInfo[]> {
  const files = await folderFeatures(repository.place.workspace, MOST_BRANCHES);
  const branches = await branchesOf(repository, remote);
  const onBranches = await committedIn(
    repository,
    [...branches].map(([feature, { ref }]) => [feature, `${ref}:`]),
  );
  const inHead = await committedIn(
    repository,
    (await headFeatures(repository)).map((feature) => [feature, "HEAD:"]),
  );
  const current = await repository.headRef();
  const ids = [...new Set([...files.keys(), ...onBranches.keys(), ...inHead.keys()])].sort().slice(0, limit);
  const wanted = ids.map((id) => {
    const file = files.get(id);
    const isHere = current === `refs/heads/${id}`;
    const committed = isHere ? undefined : (onBranches.get(id) ?? (file ? undefined : inHead.get(id)));
    const names = [...(committed?.documents ?? []), ...(file?.documents ?? [])];
    const branch = isHere || branches.get(id)?.isLocal ? { branch: id } : {};
    return { id, branch, documents: inOrder(names), spec: committed?.spec, title: file?.title };
  });
  const titles = await titlesOf(
    repository,
    wanted.flatMap(({ spec }) => spec ?? []),
  );
  return wanted.map(({ id, branch, documents, spec, title: ofFile }) => {
    const title = spec === undefined ? ofFile : titles.get(spec);
    return { id, ...(title ? { title } : {}), ...branch, documents };
  });
}

async function branchesOf(repository: GitRepository, remote: string) {
  const [heads, remotes] = ["refs/heads/", `refs/remotes/${remote}/`];
  const args = ["for-each-ref", `--count=${MOST_BRANCHES}`, "--format=%(refname)", heads, remotes];
  const refs = (await repository.text(args)).split("\n");
  const branches = new Map<string, { ref: string; isLocal: boolean }>();
  for (const ref of refs) {
    const isLocal = ref.startsWith(heads);
    const name = ref.slice((isLocal ? heads : remotes).length);
    if (isFeatureName(name) && !branches.has(name)) branches.set(name, { ref, isLocal });
  }
  return branches;
}

/** The folders of features in the commit that is checked out. */
async function headFeatures(repository: GitRepository): Promise<string[]> {
  const args = ["ls-tree", "-z", "-d", "--name-only", "--full-tree", "HEAD", "--", repository.fromTop(`${SPECS}/`)];
  const { exitCode, stdout } = await repository.try(args);
  if (exitCode !== 0) return []; // there is no commit yet
  const names = stdout.toString("utf8").split("\0");
  return names.map((path) => path.slice(path.lastIndexOf("/") + 1)).filter(isFeatureName);
}

/** All in one question: there may be thousands of branches. */
async function committedIn(
  repository: GitRepository,
  features: (readonly [feature: string, revision: string])[],
): Promise<Map<string, Committed>> {
  const asked = features.flatMap(([feature, revision]) =>
    documentNames.flatMap((name) =>
      fileNames[name].map((file) => {
        return { feature, name, line: `${revision}${repository.fromTop(`${featureFolder(feature)}/${file}`)}` };
      }),
    ),
  );
  const found = new Map<string, Committed>();
  if (asked.length === 0) return found;
  const input = `${asked.map(({ line }) => line).join("\n")}\n`;
  const options = { input, maxBytes: MOST_BYTES };
  const answers = (await repository.text(["cat-file", "--batch-check=%(objecttype) %(objectname)"], options)).split(
    "\n",
  );
  for (const [at, { feature, name }] of asked.entries()) {
    const [type, blob] = answers[at]?.split(" ") ?? [];
    if (type !== "blob") continue;
    const committed = found.get(feature) ?? { documents: new Set() };
    committed.documents.add(name);
    if (name === "spec") committed.spec = blob;
    found.set(feature, committed);
  }
  return found;
}

async function titlesOf(repository: GitRepository, blobs: string[]): Promise<Map<string, string | undefined>> {
  const titles = new Map<string, string | undefined>();
  if (blobs.length === 0) return titles;
  const options = { input: `${blobs.join("\n")}\n`, maxBytes: MOST_BYTES };
  const answer = await repository.try(["cat-file", "--batch"], options).catch(() => undefined); // a list does without titles
  let rest = answer?.stdout ?? Buffer.alloc(0);
  while (rest.length > 0) {
    const end = rest.indexOf("\n");
    const [blob = "", , size] = rest.subarray(0, end).toString("latin1").split(" ");
    const content = rest.subarray(end + 1, end + 1 + Number(size));
    titles.set(blob, titleIn(content.toString("utf8")));
    rest = rest.subarray(end + 2 + Number(size));
  }
  return titles;
}
