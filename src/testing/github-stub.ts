import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach } from "vitest";

interface TreeEntry {
  mode: string;
  type: "blob" | "tree";
  sha: string;
}
type Tree = Map<string, TreeEntry>;
interface Commit {
  tree: string;
  parents: string[];
  message: string;
  author?: { name: string; email: string };
}

export interface StubRequest {
  method: string;
  /** From the repository: `git/refs`. */
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
}

export interface StubAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What the stub does in place of answering: an answer of its own, to hang up, or never to answer. Nothing: it answers as usual. */
export type Script = (request: StubRequest) => StubAnswer | "hang up" | "silence" | undefined;

/**
 * The part of GitHub's REST API that deals with the contents and the objects of a repository, as it is documented at
 * https://docs.github.com/rest/git and https://docs.github.com/rest/repos/contents: real objects, branches that move forward only,
 * contents in base64, and the words of GitHub's own refusals.
 */
export class GithubStub {
  readonly repository = "ada/app";
  readonly token = "ghp_stubStubStubStubStub";
  readonly requests: StubRequest[] = [];
  readonly blobs = new Map<string, Buffer>();
  readonly trees = new Map<string, Tree>();
  readonly commits = new Map<string, Commit>();
  /** By the names of branches. */
  readonly refs = new Map<string, string>();
  defaultBranch = "main";
  script: Script = () => undefined;
  url = "";

  /** Puts a commit upon a branch, which is made from the default one where it is not there yet. */
  commit(branch: string, files: Record<string, string | Uint8Array>, message = "more"): string {
    const parent = this.refs.get(branch) ?? this.refs.get(this.defaultBranch);
    const entries = Object.entries(files).map(([path, content]) => {
      return { path, mode: "100644", sha: this.#blob(Buffer.from(content)) };
    });
    const tree = this.#treeWith(parent === undefined ? undefined : this.commits.get(parent)?.tree, entries);
    const sha = this.#store(this.commits, { tree, parents: parent === undefined ? [] : [parent], message });
    this.refs.set(branch, sha);
    return sha;
  }

  /** What a file is on a branch. */
  file(branch: string, path: string): string | undefined {
    const entry = this.#entryAt(this.refs.get(branch) ?? "", path);
    return entry && this.blobs.get(entry.sha)?.toString("utf8");
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const raw = await text(request).catch(() => "");
    const prefix = `/api/repos/${this.repository}`;
    const path = url.startsWith(prefix) ? url.slice(prefix.length).replace(/^\//, "") : undefined;
    const seen: StubRequest = { method, path: path ?? url, headers, body: raw === "" ? undefined : JSON.parse(raw) };
    this.requests.push(seen);
    const scripted = this.script(seen);
    if (scripted === "silence") return;
    if (scripted === "hang up") {
      request.socket.destroy();
      return;
    }
    const answer = scripted ?? this.#answer(seen, path === undefined);
    const type = { "Content-Type": "application/json; charset=utf-8", "X-RateLimit-Remaining": "4999" };
    response.writeHead(answer.status, { ...type, ...answer.headers }).end(JSON.stringify(answer.body ?? ""));
  }

  #answer({ method, path, headers, body }: StubRequest, elsewhere: boolean): StubAnswer {
    if (headers.authorization !== `Bearer ${this.token}`) return refusal(401, "Bad credentials");
    if (elsewhere) return refusal(404, "Not Found");
    const { pathname, searchParams } = new URL(path, "http://stub/");
    const at = decodeURIComponent(pathname.slice(1));
    if (method === "GET" && at === "") return { status: 200, body: { default_branch: this.defaultBranch } };
    if (at.startsWith("git/") && this.commits.size === 0) return refusal(409, "Git Repository is empty.");
    const rest = (start: string) => (at.startsWith(start) ? at.slice(start.length) : undefined);
    const given = (body ?? {}) as Record<string, unknown>;
    if (method === "POST") return this.#make(at, given);
    const branch = rest("git/refs/heads/");
    if (method === "PATCH" && branch !== undefined) return this.#move(branch, given);
    const contents = rest("contents/");
    if (contents !== undefined) return this.#contents(contents, searchParams.get("ref") ?? this.defaultBranch);
    if (at === "git/matching-refs/heads/")
      return { status: 200, body: [...this.refs.keys()].map((name) => this.#ref(name)) };
    return this.#object(rest("git/ref/heads/"), rest("git/commits/"), rest("git/blobs/"));
  }

  #object(branch?: string, commit?: string, blob?: string): StubAnswer {
    if (branch !== undefined && this.refs.has(branch)) return { status: 200, body: this.#ref(branch) };
    const found = commit === undefined ? undefined : this.commits.get(commit);
    if (found) return { status: 200, body: { sha: commit, message: found.message, tree: { sha: found.tree } } };
    const bytes = blob === undefined ? undefined : this.blobs.get(blob);
    if (!bytes) return refusal(404, "Not Found");
    // GitHub breaks the lines of it.
    const content = bytes.toString("base64").replace(/.{60}/g, "$&\n");
    return { status: 200, body: { sha: blob, size: bytes.length, content, encoding: "base64" } };
  }

  #make(at: string, given: Record<string, unknown>): StubAnswer {
    if (at === "git/trees") {
      const tree = (given.tree as { path: string; mode: string; content?: string; sha?: string }[]).map((entry) => {
        return { path: entry.path, mode: entry.mode, sha: entry.sha ?? this.#blob(Buffer.from(entry.content ?? "")) };
      });
      if (given.base_tree !== undefined && !this.trees.has(String(given.base_tree)))
        return refusal(422, "base_tree is not a valid tree oid");
      return { status: 201, body: { sha: this.#treeWith(given.base_tree as string | undefined, tree) } };
    }
    if (at === "git/commits") {
      const { message, tree, parents, author } = given as unknown as Commit;
      if (!this.trees.has(tree)) return refusal(422, "Tree SHA does not exist");
      return { status: 201, body: { sha: this.#store(this.commits, { message, tree, parents, author }) } };
    }
    if (at !== "git/refs") return refusal(404, "Not Found");
    const branch = String(given.ref).replace(/^refs\/heads\//, "");
    if (this.refs.has(branch)) return refusal(422, "Reference already exists");
    if (!this.commits.has(String(given.sha))) return refusal(422, "Object does not exist");
    this.refs.set(branch, String(given.sha));
    return { status: 201, body: this.#ref(branch) };
  }

  #move(branch: string, { sha, force }: Record<string, unknown>): StubAnswer {
    const now = this.refs.get(branch);
    if (now === undefined) return refusal(422, "Reference does not exist");
    if (force !== true && !this.#isBehind(now, String(sha))) return refusal(422, "Update is not a fast forward");
    this.refs.set(branch, String(sha));
    return { status: 200, body: this.#ref(branch) };
  }

  #isBehind(older: string, newer: string): boolean {
    if (older === newer) return true;
    return (this.commits.get(newer)?.parents ?? []).some((parent) => this.#isBehind(older, parent));
  }

  #contents(path: string, ref: string): StubAnswer {
    const commit = this.refs.get(ref) ?? ref;
    if (!this.commits.has(commit)) return refusal(404, `No commit found for the ref ${ref}`);
    const found = this.#entryAt(commit, path);
    const tree = found?.type === "tree" ? this.trees.get(found.sha) : undefined;
    if (!tree) return refusal(404, "Not Found");
    const body = [...tree].map(([name, { mode, type, sha }]) => {
      const kind = type === "tree" ? "dir" : mode === "120000" ? "symlink" : "file";
      return { name, path: `${path}/${name}`, sha, type: kind, size: this.blobs.get(sha)?.length ?? 0 };
    });
    return { status: 200, body };
  }

  #entryAt(commit: string, path: string): TreeEntry | undefined {
    let entry: TreeEntry | undefined = { mode: "40000", type: "tree", sha: this.commits.get(commit)?.tree ?? "" };
    for (const name of path.split("/")) entry = this.trees.get(entry?.sha ?? "")?.get(name);
    return entry;
  }

  #treeWith(base: string | undefined, entries: { path: string; mode: string; sha: string }[]): string {
    const tree: Tree = new Map(base === undefined ? [] : this.trees.get(base));
    const below = new Map<string, typeof entries>();
    for (const { path, mode, sha } of entries) {
      const [name = "", ...rest] = path.split("/");
      if (rest.length === 0) tree.set(name, { mode, type: "blob", sha });
      else below.set(name, [...(below.get(name) ?? []), { path: rest.join("/"), mode, sha }]);
    }
    for (const [name, inside] of below) {
      const old = tree.get(name);
      const sha = this.#treeWith(old?.type === "tree" ? old.sha : undefined, inside);
      tree.set(name, { mode: "40000", type: "tree", sha });
    }
    return this.#store(this.trees, tree, [...tree].toSorted());
  }

  #blob(bytes: Buffer): string {
    return this.#store(this.blobs, bytes, bytes.toString("base64"));
  }

  #store<T>(into: Map<string, T>, value: T, identity: unknown = [value, into.size]): string {
    const sha = createHash("sha1").update(JSON.stringify(identity)).digest("hex");
    into.set(sha, value);
    return sha;
  }

  #ref = (branch: string) => ({ ref: `refs/heads/${branch}`, object: { type: "commit", sha: this.refs.get(branch) } });
}

const refusal = (status: number, message: string): StubAnswer => ({
  status,
  body: { message, documentation_url: "https://docs.github.com/rest", status: String(status) },
});

/** Stubs on loopback that are gone after the test. */
export function githubStubs(): () => Promise<GithubStub> {
  const open: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((close) => close()));
  });
  return async () => {
    const stub = new GithubStub();
    const server = createServer((request, response) => void stub.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    open.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return stub;
  };
}
