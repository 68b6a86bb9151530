import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { type GithubStub, githubStubs, type Script } from "../../testing/github-stub.ts";
import { GithubApi } from "./github-api.ts";
import { etagOf, type FeatureStore, featureStore, type GithubSettings } from "./index.ts";

const newStub = githubStubs();

const F = "001-login";
const SPEC = `specs/${F}/spec.md`;
const message = "Clarify it";

async function withFeature(): Promise<{ stub: GithubStub; store: FeatureStore }> {
  const stub = await newStub();
  stub.commit("main", { "README.md": "# App\n" });
  stub.commit(F, { [SPEC]: "# One\n" });
  return { stub, store: storeOf(stub) };
}

const storeOf = (stub: GithubStub, more: Partial<GithubSettings> = {}) =>
  featureStore("/nowhere", {
    github: { repository: stub.repository, baseUrl: stub.url, token: stub.token, tokenVariable: "MY_TOKEN", ...more },
  });
const saving = (store: FeatureStore, content: string, ifMatch?: string | null, signal?: AbortSignal) =>
  store.save(F, [{ name: "spec", content, ifMatch }], { message, signal });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went well"),
    (error: unknown) => {
      if (!(error instanceof DragomanError)) throw error;
      expect(JSON.stringify([error.message, error.data, error.stack])).not.toMatch(/ghp_stub/i);
      return { code: error.code, message: error.message };
    },
  );

test("a feature is read from its branch, and from the base branch while it has none", async () => {
  const { stub, store } = await withFeature();
  stub.commit("main", { "specs/002/plan.md": "# Grüße\n".repeat(50), "specs/002/tasks.md": "- [ ] T001\n" });
  expect(await store.read(F)).toEqual([{ name: "spec", path: SPEC, content: "# One\n", etag: etagOf("# One\n") }]);
  expect((await store.read("002")).map(({ name, path, content }) => [name, path, content.slice(0, 8)])).toEqual([
    ["plan", "specs/002/plan.md", "# Grüße\n"],
    ["task", "specs/002/tasks.md", "- [ ] T0"],
  ]);
  expect(await store.read("002", ["spec"])).toEqual([]);
  expect(await failure(store.read("003"))).toMatchObject({ code: "document_not_found" });
  for (const { headers } of stub.requests) {
    expect(headers).toMatchObject({
      authorization: `Bearer ${stub.token}`,
      "x-github-api-version": "2022-11-28",
      accept: "application/vnd.github+json",
    });
  }
});

test("documents are saved in one commit upon the branch", async () => {
  const { stub, store } = await withFeature();
  const parent = stub.refs.get(F);
  const saved = await store.save(
    F,
    [
      { name: "spec", content: "# Two\n", ifMatch: etagOf("# One\n") },
      { name: "plan", content: "# Plan\n", ifMatch: null },
    ],
    { message, by: "Jane <jane@example.com>" },
  );
  const commit = stub.refs.get(F) ?? "";
  expect(saved).toEqual({
    documents: [
      { name: "spec", path: SPEC, etag: etagOf("# Two\n") },
      { name: "plan", path: `specs/${F}/plan.md`, etag: etagOf("# Plan\n") },
    ],
    branch: F,
    commit,
    pushed: true,
  });
  expect(stub.commits.get(commit)).toMatchObject({
    message,
    parents: [parent],
    author: { name: "Jane", email: "jane@example.com" },
  });
  expect([SPEC, `specs/${F}/plan.md`, "README.md"].map((path) => stub.file(F, path))).toEqual([
    "# Two\n",
    "# Plan\n",
    "# App\n",
  ]);
});

test("a new branch begins at the base branch", async () => {
  const { stub } = await withFeature();
  stub.commit("develop", { "b.txt": "b" });
  const develop = stub.refs.get("develop");
  await storeOf(stub, { base: "develop" }).save("002", [{ name: "spec", content: "x" }], { message });
  expect(stub.commits.get(stub.refs.get("002") ?? "")?.parents).toEqual([develop]);
});

test("the same content is no commit", async () => {
  const { stub, store } = await withFeature();
  const documents = [{ name: "spec", path: SPEC, etag: etagOf("# One\n") }];
  expect(await saving(store, "# One\n")).toEqual({ documents, branch: F, unchanged: true });
  expect(stub.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("features are listed from the base branch and from branches of their own", async () => {
  const { stub, store } = await withFeature();
  stub.commit("main", { "specs/000/spec.md": "x", "specs/000/plan.md": "x", "specs/empty/x.md": "x" });
  stub.commit("other", { "c.txt": "c" });
  expect(await store.list(10)).toEqual([
    { id: "000", documents: ["spec", "plan"] },
    { id: F, branch: F, documents: ["spec"] },
  ]);
  expect(await store.list(1)).toEqual([{ id: "000", documents: ["spec", "plan"] }]);
});

describe("a branch that moves meanwhile", () => {
  const onMove = (act: () => void): Script => {
    let times = 0;
    return ({ method, path }) => {
      if ((method === "PATCH" || (method === "POST" && path === "git/refs")) && times++ === 0) act();
      return undefined;
    };
  };

  test("is caught up with, as long as nobody touched the documents", async () => {
    const { stub, store } = await withFeature();
    stub.script = onMove(() => void stub.commit(F, { "other.txt": "x" }));
    await saving(store, "# Two\n", etagOf("# One\n"));
    expect([stub.file(F, SPEC), stub.file(F, "other.txt")]).toEqual(["# Two\n", "x"]);
  });

  test("is a conflict if they did, and nothing is saved", async () => {
    const { stub, store } = await withFeature();
    stub.script = onMove(() => void stub.commit(F, { [SPEC]: "# Theirs\n" }));
    expect(await failure(saving(store, "# Two\n"))).toEqual({
      code: "conflict",
      message: "The spec was changed by someone else while it was saved. Read it again.",
    });
    expect(stub.file(F, SPEC)).toBe("# Theirs\n");
  });

  test("may have been made by someone else", async () => {
    const { stub, store } = await withFeature();
    stub.refs.delete(F);
    stub.script = onMove(() => void stub.commit(F, { [`specs/${F}/plan.md`]: "x" }));
    await saving(store, "# Two\n", null);
    expect([stub.file(F, SPEC), stub.file(F, `specs/${F}/plan.md`)]).toEqual(["# Two\n", "x"]);
  });

  test("is given up if it never stands still", async () => {
    const { stub, store } = await withFeature();
    stub.script = ({ method }) => (method === "PATCH" ? { status: 409, body: { message: "Conflict" } } : undefined);
    expect(await failure(saving(store, "# Two\n"))).toMatchObject({ code: "conflict" });
    expect(stub.requests.filter(({ method }) => method === "PATCH")).toHaveLength(6);
  });

  test("may have moved if neither the answer comes nor can it be looked at", async () => {
    const { stub, store } = await withFeature();
    let isLost = false;
    stub.script = ({ method }) => {
      isLost ||= method === "PATCH";
      return isLost ? "hang up" : undefined;
    };
    expect(await failure(saving(store, "# Two\n"))).toEqual({
      code: "timeout",
      message: `It is not known whether the documents of ${F} are saved. Look at the branch ${F} before you try again.`,
    });
  });

  test("has moved if it did so though the answer was lost", async () => {
    const { stub, store } = await withFeature();
    stub.script = ({ method, body }) => {
      if (method !== "PATCH") return undefined;
      stub.refs.set(F, (body as { sha: string }).sha);
      return "hang up";
    };
    expect(await saving(store, "# Two\n")).toMatchObject({ commit: stub.refs.get(F) });
  });

  test("of those who save upon the same version at once, one wins", async () => {
    const { stub, store } = await withFeature();
    const codes = await Promise.all(
      [1, 2, 3, 4].map((who) =>
        saving(store, `# ${who}\n`, etagOf("# One\n")).then(
          () => "saved",
          (error: DragomanError) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "saved")).toHaveLength(1);
    expect(codes.filter((code) => !["saved", "conflict", "precondition_failed"].includes(code))).toEqual([]);
    expect(stub.commits.get(stub.refs.get(F) ?? "")?.parents).toHaveLength(1);
  });
});

const need = `It needs a token that may read and write the contents of ada/app (scope "repo", or Contents: read and write).`;

describe("what goes wrong says what to do", () => {
  test.each<[string, Script, object]>([
    [
      "a token that is not valid",
      () => ({ status: 401, body: { message: "Bad credentials" } }),
      {
        code: "tool_failed",
        message: `GitHub does not let MY_TOKEN at ada/app: it is not valid, or has expired. ${need}`,
      },
    ],
    [
      "a token without rights",
      ({ method }) => (method === "POST" ? { status: 403, body: { message: "Resource not accessible" } } : undefined),
      { code: "tool_failed", message: `GitHub does not let MY_TOKEN at ada/app: Resource not accessible. ${need}` },
    ],
    [
      "a repository that is not there",
      () => ({ status: 404, body: { message: "Not Found" } }),
      {
        message: `GitHub does not let MY_TOKEN at ada/app: there is no such repository, or it may not be seen. ${need}`,
      },
    ],
    [
      "the hourly limit",
      () => ({
        status: 403,
        headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800" },
        body: { message: "API rate limit exceeded" },
      }),
      { code: "rate_limited", message: "GitHub takes no more requests for now. Try again after 2100-01-01T00:00:00Z." },
    ],
    [
      "a limit on bursts",
      () => ({ status: 403, headers: { "Retry-After": "30" }, body: { message: "secondary rate limit" } }),
      { code: "rate_limited" },
    ],
    ["too many requests", () => ({ status: 429, body: {} }), { code: "rate_limited" }],
    [
      "a fault of GitHub's",
      () => ({ status: 502, body: {} }),
      { code: "tool_failed", message: "HOST answered 502. Try again later." },
    ],
    [
      "a connection that is cut",
      () => "hang up",
      { code: "tool_failed", message: expect.stringContaining("cannot be reached") },
    ],
    [
      "an answer of another form",
      () => ({ status: 200, body: { hello: 1 } }),
      { code: "tool_failed", message: "GitHub's answer is not what its API promises. Check features.github.baseUrl." },
    ],
    ["an answer without end", () => ({ status: 200, body: "x".repeat(2_200_000) }), { code: "too_large" }],
    [
      "a redirect to another host",
      () => ({ status: 302, headers: { Location: "http://evil.test/steal" } }),
      {
        code: "tool_failed",
        message: "HOST sends elsewhere to evil.test, which is not followed. Check features.github in dragoman.json.",
      },
    ],
    [
      "a redirect to a host that is called as the token",
      ({ headers }) => {
        const token = headers.authorization?.slice("Bearer ".length);
        return { status: 302, headers: { Location: `http://ada:${token}@${token}.evil.test/x` } };
      },
      {
        code: "tool_failed",
        message:
          "HOST sends elsewhere to ***.evil.test, which is not followed. Check features.github in dragoman.json.",
      },
    ],
    [
      "redirects without end",
      ({ path }) => ({ status: 301, headers: { Location: `/api/repos/ada/app/${path}` } }),
      { code: "tool_failed" },
    ],
    [
      "a refusal that repeats the token",
      ({ method, headers }) =>
        method === "PATCH" ? { status: 422, body: { message: `no ${headers.authorization}` } } : undefined,
      { code: "tool_failed", message: expect.stringContaining("no Bearer ***") },
    ],
    [
      "a protected branch",
      ({ method }) => (method === "PATCH" ? { status: 422, body: { message: "Protected branch" } } : undefined),
      { code: "tool_failed", message: expect.stringContaining("Look at its protection rules.") },
    ],
  ])("%s", async (_, script, expected) => {
    const { stub, store } = await withFeature();
    const [refs, host] = [[...stub.refs], new URL(stub.url).host];
    stub.script = script;
    const { code, message } = await failure(saving(store, "# Two\n"));
    expect({ code, message: message.replace(host, "HOST") }).toMatchObject(expected);
    expect([...stub.refs]).toEqual(refs);
  });

  test("a repository without a commit", async () => {
    const stub = await newStub();
    expect(await failure(saving(storeOf(stub), "x"))).toEqual({
      code: "tool_failed",
      message: "ada/app is empty. Make a first commit in it, then try again.",
    });
  });

  test("a token that is not set, told when it is needed", async () => {
    const stub = await newStub();
    expect(await failure(storeOf(stub, { token: "" }).read(F))).toEqual({
      code: "tool_failed",
      message: `GitHub does not let MY_TOKEN at ada/app: MY_TOKEN is not set. ${need}`,
    });
    expect(stub.requests).toEqual([]);
  });

  test.each(["http://example.com/", "ftp://127.0.0.1/", "https://user:pass@example.com/", "nonsense"])(
    "the address %s, which is not asked",
    (baseUrl) => {
      const make = () => featureStore("/nowhere", { github: { repository: "a/b", baseUrl, token: "x" } });
      expect(make).toThrow(expect.objectContaining({ code: "invalid_params" }));
    },
  );

  test("a folder, what is too large and what is not UTF-8 in the place of a document", async () => {
    const { stub, store } = await withFeature();
    stub.commit(F, { [SPEC]: "x".repeat(100_001) });
    expect(await failure(store.read(F))).toMatchObject({ code: "too_large" });
    stub.commit(F, { [SPEC]: Uint8Array.of(0xff) });
    expect(await failure(store.read(F))).toMatchObject({ code: "tool_failed" });
    stub.commit("folder", { "specs/folder/spec.md/x": "x" });
    expect(await failure(store.read("folder"))).toMatchObject({ code: "forbidden" });
  });
});

test("an answer that does not come is not waited for", async () => {
  const { stub } = await withFeature();
  stub.script = () => "silence";
  const { repository, token, url } = stub;
  const api = new GithubApi({ repository, token, baseUrl: url }, 20);
  expect(await failure(api.ask({ path: "" }))).toEqual({
    code: "timeout",
    message: `${new URL(url).host} did not answer within 0.02 s. Try again.`,
  });
});

test("a redirect on the same host is followed, as for a repository that was renamed", async () => {
  const { stub, store } = await withFeature();
  stub.script = ({ path }) =>
    path.includes("git/ref/") && !path.endsWith("?again")
      ? { status: 307, headers: { Location: `/api/repos/ada/app/${path}?again` } }
      : undefined;
  expect(await store.read(F)).toHaveLength(1);
});

test("who calls it off before the branch moves has changed nothing", async () => {
  const { stub, store } = await withFeature();
  const before = [...stub.refs];
  const controller = new AbortController();
  stub.script = ({ path }) => {
    if (path !== "git/commits") return undefined;
    controller.abort();
    return "silence";
  };
  expect(await failure(saving(store, "# Two\n", undefined, controller.signal))).toMatchObject({ code: "cancelled" });
  expect([...stub.refs]).toEqual(before);
});
