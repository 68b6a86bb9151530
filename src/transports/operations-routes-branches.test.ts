import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { noRules } from "../core/rules.ts";
import type { FeatureSettings } from "../operations/features/index.ts";
import { specTools } from "../operations/tools/index.ts";
import { gitIdentity } from "../testing/git-identity.ts";
import { GitRepo } from "../testing/git-repo.ts";
import type { Script } from "../testing/one-session.ts";
import { FEATURE, operationsNodes } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
gitIdentity(folder);
const node = operationsNodes();

/** A node on a repository with a remote beside it. */
async function onRepository(settings: FeatureSettings = {}, script: Script = async () => "") {
  const parent = mkdtempSync(join(folder.path, "pair-"));
  const remote = new GitRepo(parent, { init: false });
  remote.git("init", "--quiet", "--bare");
  const repo = new GitRepo(parent).files({ "a.txt": "a\n", "specs/main/spec.md": "# Main\n" }).commit();
  repo.git("remote", "add", "origin", remote.path);
  const features = { trusted: true, ...settings };
  const tools = specTools(() => features);
  const ruleBook = { ...noRules, read: async () => ({ trusted: true, allow: [], deny: [] }) };
  const made = await node(script, { workspace: repo.path, features, runtime: { tools, ruleBook } });
  return { ...made, repo, remote };
}

const refsOf = ({ repo, remote }: { repo: GitRepo; remote: GitRepo }) => [
  repo.git("for-each-ref", "--format=%(refname) %(objectname)"),
  remote.git("for-each-ref"),
];

describe("a push", () => {
  const requests = [
    [`PUT /features/${FEATURE}/spec`, { content: "# Two\n", push: true }],
    ["POST /features", { id: "002-new", push: true }],
  ] as const;

  test.each(requests)("of %s is for who may approve, where it is not configured", async (request, body) => {
    const made = await onRepository();
    const before = refsOf(made);
    const { status, json } = await made.rest(request, body, await made.token("prompt"));
    expect([status, json.error.code, json.error.message]).toEqual([
      403,
      "FORBIDDEN",
      'The token "prompt" may not say "push": true where features.push is not configured: that takes the role approve. Use another token, or make one.',
    ]);
    expect(refsOf(made)).toEqual(before);
    const allowed = await made.rest(request, body, await made.token("prompt", "approve"));
    expect([allowed.status, allowed.json.pushed]).toEqual([request.startsWith("POST") ? 201 : 200, true]);
  });

  test.each(requests)("of %s is for everyone who may save, where it is configured", async (request, body) => {
    const { rest, token } = await onRepository({ push: true });
    const { json } = await rest(request, body, await token("prompt"));
    expect(json.pushed).toBe(true);
  });

  test("that an operation is to do for someone who may only prompt waits until someone says yes", async () => {
    const changes = [{ name: "spec", content: "# By the operation\n" }];
    const script: Script = async (_, io) =>
      JSON.stringify(await io.tool("spec_save", { feature: FEATURE, changes, message: "Save it", push: true }));
    const made = await onRepository({}, script);
    const before = refsOf(made);
    const operationId = await made.start("plan", { push: true }, await made.token("prompt"));
    const state = async () => (await made.rest(`GET /operations/${operationId}`)).json;
    await until(async () => (await state()).status === "waiting", "the question");
    const [question] = (await state()).questions;
    expect([question.kind, question.context]).toEqual([
      "confirm",
      expect.stringContaining("It touches origin, outside of the workspace."),
    ]);
    expect(refsOf(made)).toEqual(before);
    const body = { ask_id: question.ask_id, answer: true };
    const answer = (by: string) => made.rest(`POST /operations/${operationId}/answer`, body, by);
    expect((await answer(await made.token("prompt"))).status).toBe(403);
    expect((await answer(await made.token("approve"))).status).toBe(200);
    await until(async () => (await state()).status === "completed", "the end");
    expect(made.remote.git("rev-parse", FEATURE)).toBe(made.repo.git("rev-parse", FEATURE));
  });
});

test("a branch that everyone starts from is read as a feature, and never saved on", async () => {
  const made = await onRepository();
  const before = refsOf(made);
  const statuses = [];
  for (const [request, body] of [
    ["GET /features/main/spec", undefined],
    ["PUT /features/main/spec", { content: "# Mine\n" }],
    ["PUT /features/main/plan", { content: "# Mine\n" }],
    ["POST /features", { id: "develop" }],
    ["POST /features/main/clarify", {}],
    ["POST /features/main/plan", {}],
    ["POST /features/main/analyze", {}],
  ] as const) {
    const { status, json } = await made.rest(request, body);
    statuses.push([request, status, ...(json.error ? [json.error.code] : [])]);
  }
  expect(statuses).toEqual([
    ["GET /features/main/spec", 200],
    ["PUT /features/main/spec", 409, "CONFLICT"],
    ["PUT /features/main/plan", 409, "CONFLICT"],
    ["POST /features", 409, "CONFLICT"],
    ["POST /features/main/clarify", 409, "CONFLICT"],
    ["POST /features/main/plan", 409, "CONFLICT"],
    ["POST /features/main/analyze", 202],
  ]);
  expect(refsOf(made)).toEqual(before);
});
