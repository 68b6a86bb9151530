import * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import { type DocumentName, documentLimits, documentNames } from "../documents.ts";
import {
  checkChanges,
  checkFeature,
  checkIfMatch,
  checkSignal,
  checkUnmoved,
  type Etags,
  etagOf,
  etagsOf,
  fileNames,
  inOrder,
  isFeatureName,
  notFound,
  SPECS,
  savedAs,
  textIn,
  tooLarge,
  unknownOutcome,
} from "./document-content.ts";
import type {
  Change,
  FeatureInfo,
  FeatureStore,
  GithubSettings,
  Saved,
  SaveOptions,
  StoredDocument,
} from "./feature-store.ts";
import { personIn } from "./git-commit.ts";
import { GithubApi } from "./github-api.ts";
import { foreignBranch, refuseShared } from "./shared-branches.ts";

const MOST_RETRIES = 5;
/** Each branch that is looked into is a request. */
const MOST_BRANCHES_LOOKED_INTO = 30;
const AT_ONCE = 5;

const refAnswer = z.object({ object: z.object({ sha: z.string() }) });
const commitAnswer = z.object({ tree: z.object({ sha: z.string() }) });
const madeAnswer = z.object({ sha: z.string() });
const blobAnswer = z.object({ content: z.string(), encoding: z.literal("base64") });
const repositoryAnswer = z.object({ default_branch: z.string() });
const refsAnswer = z.array(z.object({ ref: z.string() }));
const entriesAnswer = z.array(
  z.object({ name: z.string(), type: z.string(), sha: z.string(), size: z.number().default(0) }),
);
type Entry = z.infer<typeof entriesAnswer>[number];

/** A feature as it is on GitHub at one commit. */
interface Sight {
  /** Where its branch is; nothing where it has none. */
  tip?: string;
  base: string;
  documents: StoredDocument[];
  /** Whether there is anything of it, a document or not. */
  hasFolder: boolean;
}

/** Features in a repository on GitHub, each on the branch that is called as it is, by the REST API. */
export class GithubStore implements FeatureStore {
  readonly kind = "github";
  readonly pushes = true;
  readonly #api: GithubApi;
  readonly #settings: GithubSettings;

  constructor(settings: GithubSettings) {
    this.#api = new GithubApi(settings);
    this.#settings = settings;
  }

  /** Those on the base branch, and those that have a branch of their own. */
  async list(limit: number): Promise<FeatureInfo[]> {
    const base = await this.#commitOf(await this.#baseBranch());
    const folders = base === undefined ? [] : await this.#entries(SPECS, base);
    const onBase = folders.filter(({ name, type }) => type === "dir" && isFeatureName(name)).map(({ name }) => name);
    const { body } = await this.#api.ask({ path: "git/matching-refs/heads/?per_page=100" });
    const branches = new Set(formed(refsAnswer, body).map(({ ref }) => ref.replace(/^refs\/heads\//, "")));
    const own = [...branches].filter((name) => isFeatureName(name) && !onBase.includes(name));
    const wanted = [...onBase, ...own.slice(0, MOST_BRANCHES_LOOKED_INTO)].sort().slice(0, limit);
    const infos = await inTurns(wanted, async (id): Promise<FeatureInfo> => {
      const ref = branches.has(id) ? id : (base ?? "");
      const documents = documentsAmong(await this.#entries(`${SPECS}/${id}`, ref)).map(({ name }) => name);
      return { id, ...(branches.has(id) ? { branch: id } : {}), documents };
    });
    return infos.filter(({ documents }) => documents.length > 0);
  }

  async read(feature: string, names: readonly DocumentName[] = documentNames): Promise<StoredDocument[]> {
    checkFeature(feature);
    const { documents } = await this.#look(feature);
    if (documents.length === 0) throw notFound(feature, `${this.#api.repository} on GitHub`);
    return documents.filter(({ name }) => inOrder(names).includes(name));
  }

  async checkSavable(feature: string): Promise<void> {
    checkFeature(feature);
    await this.#refuseShared(feature);
    await this.#refuseForeign(feature, await this.#look(feature));
  }

  async save(feature: string, changes: readonly Change[], options: SaveOptions): Promise<Saved> {
    checkFeature(feature);
    checkChanges(changes);
    await this.#refuseShared(feature, options.signal);
    let first: Etags | undefined;
    for (let attempt = 0; attempt <= MOST_RETRIES; attempt++) {
      checkSignal(options.signal);
      const sight = await this.#look(feature, options.signal);
      const etags = etagsOf(changes, sight.documents);
      if (first) checkUnmoved(first, etags);
      else checkIfMatch(changes, etags);
      first ??= etags;
      await this.#refuseForeign(feature, sight, options.signal);
      const saved = await this.#put(feature, sight, changes, options);
      if (saved) return saved;
    }
    throw new DragomanError("conflict", `The branch ${feature} moved each time that it was saved. Try again.`);
  }

  async #refuseShared(feature: string, signal?: AbortSignal): Promise<void> {
    refuseShared(feature, this.#settings.base); // without a question, if possible
    refuseShared(feature, await this.#defaultBranch(signal));
  }

  /** A branch that is there, of which neither it nor the one that features start from has anything of the feature. */
  async #refuseForeign(feature: string, sight: Sight, signal?: AbortSignal): Promise<void> {
    if (sight.tip === undefined || sight.hasFolder) return;
    const base = await this.#commitOf(await this.#baseBranch(signal), signal);
    const entries = base === undefined ? [] : await this.#entries(`${SPECS}/${feature}`, base, signal);
    if (entries.length === 0) throw foreignBranch(feature);
  }

  /** Nothing is there for anyone to see until the branch moves, and then all of it is. */
  async #put(
    feature: string,
    sight: Sight,
    changes: readonly Change[],
    options: SaveOptions,
  ): Promise<Saved | undefined> {
    const find = (name: DocumentName) => sight.documents.find((one) => one.name === name);
    const pathOf = (name: DocumentName) => find(name)?.path ?? `${SPECS}/${feature}/${fileNames[name][0]}`;
    const documents = savedAs(changes, pathOf);
    const differing = changes.filter(({ name, content }) => find(name)?.content !== content);
    if (differing.length === 0) return { documents, ...(sight.tip ? { branch: feature } : {}), unchanged: true };
    const { signal } = options;
    const tree = differing.map(({ name, content }) => ({ path: pathOf(name), mode: "100644", type: "blob", content }));
    const commit = await this.#commit(sight.base, tree, options);
    checkSignal(signal);
    // From here on it is not called off: whether the branch has moved must be known.
    const request =
      sight.tip === undefined
        ? ({ method: "POST", path: "git/refs", body: { ref: `refs/heads/${feature}`, sha: commit } } as const)
        : ({ method: "PATCH", path: `git/refs/heads/${feature}`, body: { sha: commit, force: false } } as const);
    const moved = await this.#moved(feature, commit, request);
    return moved ? { documents, branch: feature, commit, pushed: true } : undefined;
  }

  async #moved(feature: string, commit: string, request: Parameters<GithubApi["ask"]>[0]): Promise<boolean> {
    const answer = await this.#api.ask({ ...request, expected: [409, 422] }).catch(async (error) => {
      // It may have moved though the answer was lost.
      const isLost = error instanceof DragomanError && (error.code === "timeout" || error.code === "tool_failed");
      if (!isLost) throw error;
      const tip = await this.#commitOf(feature).catch(() => {
        throw unknownOutcome(feature, error);
      });
      if (tip !== commit) throw error;
    });
    if (!answer || answer.status < 300) return true;
    const told = this.#api.withoutToken(JSON.stringify(answer.body ?? ""));
    if (answer.status === 409 || /fast forward|already exists|does not exist/i.test(told)) return false;
    const message = `GitHub does not let the branch ${feature} move: ${told.slice(0, 300)}. Look at its protection rules.`;
    throw new DragomanError("tool_failed", message);
  }

  async #commit(base: string, tree: unknown[], { message, by, signal }: SaveOptions): Promise<string> {
    const { body: parent } = await this.#api.ask({ path: `git/commits/${base}`, signal });
    const base_tree = formed(commitAnswer, parent).tree.sha;
    const { body: made } = await this.#api.ask({
      method: "POST",
      path: "git/trees",
      body: { base_tree, tree },
      signal,
    });
    const author = by === undefined ? {} : { author: personIn(by) };
    const body = { message, tree: formed(madeAnswer, made).sha, parents: [base], ...author };
    const { body: commit } = await this.#api.ask({ method: "POST", path: "git/commits", body, signal });
    return formed(madeAnswer, commit).sha;
  }

  async #look(feature: string, signal?: AbortSignal): Promise<Sight> {
    const tip = await this.#commitOf(feature, signal);
    const base = tip ?? (await this.#commitOf(await this.#baseBranch(signal), signal));
    if (base === undefined) {
      await this.#api.ask({ path: "", signal }); // one that may not be seen has no branches either, and says so here
      throw new DragomanError(
        "tool_failed",
        `${this.#api.repository} has no branch to start from. Make a first commit in it.`,
      );
    }
    const entries = await this.#entries(`${SPECS}/${feature}`, base, signal);
    const found = documentsAmong(entries);
    const documents = await Promise.all(found.map((entry) => this.#document(feature, entry, signal)));
    return { tip, base, documents, hasFolder: entries.length > 0 };
  }

  async #document(feature: string, { name, entry }: NamedEntry, signal?: AbortSignal): Promise<StoredDocument> {
    const path = `${SPECS}/${feature}/${entry.name}`;
    if (entry.type !== "file") {
      throw new DragomanError("forbidden", `${path} is a ${entry.type} on GitHub. Put the document itself there.`);
    }
    if (entry.size > documentLimits[name]) throw tooLarge(name, path);
    const { body } = await this.#api.ask({ path: `git/blobs/${encodeURIComponent(entry.sha)}`, signal });
    const content = textIn(Buffer.from(formed(blobAnswer, body).content, "base64"), name, path);
    return { name, path, content, etag: etagOf(content) };
  }

  async #baseBranch(signal?: AbortSignal): Promise<string> {
    return this.#settings.base ?? this.#defaultBranch(signal);
  }

  async #defaultBranch(signal?: AbortSignal): Promise<string> {
    return formed(repositoryAnswer, (await this.#api.ask({ path: "", signal })).body).default_branch;
  }

  /** The commit that a branch is at; nothing where there is none. */
  async #commitOf(branch: string, signal?: AbortSignal): Promise<string | undefined> {
    const path = `git/ref/heads/${branch.split("/").map(encodeURIComponent).join("/")}`;
    const { status, body } = await this.#api.ask({ path, signal, expected: [404] });
    return status === 404 ? undefined : formed(refAnswer, body).object.sha;
  }

  /** What is in a folder; nothing where it is not there. */
  async #entries(folder: string, ref: string, signal?: AbortSignal): Promise<Entry[]> {
    const path = `contents/${folder}?ref=${encodeURIComponent(ref)}`;
    const { status, body } = await this.#api.ask({ path, signal, expected: [404] });
    return status === 404 ? [] : formed(entriesAnswer, body);
  }
}

interface NamedEntry {
  name: DocumentName;
  entry: Entry;
}

function documentsAmong(entries: Entry[]): NamedEntry[] {
  return documentNames.flatMap((name) => {
    const [entry] = fileNames[name].flatMap((file) => entries.filter((one) => one.name === file));
    return entry ? [{ name, entry }] : [];
  });
}

async function inTurns<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}

/** What GitHub answered, if it has the form that it should have. */
function formed<T>(schema: z.ZodType<T>, body: unknown): T {
  const { success, data } = schema.safeParse(body);
  if (success) return data;
  throw new DragomanError(
    "tool_failed",
    "GitHub's answer is not what its API promises. Check features.github.baseUrl.",
  );
}
