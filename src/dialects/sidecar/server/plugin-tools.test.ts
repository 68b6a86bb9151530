import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { builtinEngine } from "../../../engines/builtin/index.ts";
import { gitIdentity } from "../../../testing/git-identity.ts";
import { type PluginHandler, pluginServer } from "../../../testing/plugin-server.ts";
import { until } from "../../../testing/scripted.ts";
import { sidecarNode } from "../../../testing/sidecar-node.ts";
import { temporaryFolder } from "../../../testing/temporary-folder.ts";
import { temporaryWorkspaces, type Workspace } from "../../../testing/workspace.ts";
import { tools } from "../../../tools/index.ts";
import { sidecar } from "../index.ts";

// What a plugin brings about, through the whole of core and the built-in engine.

const folder = temporaryFolder();
gitIdentity(folder);
const newWorkspace = temporaryWorkspaces();

function repository(): Workspace {
  const workspace = newWorkspace();
  execFileSync("git", ["init", "--quiet"], { cwd: workspace.path });
  return workspace.files({ "user.ts": "export {};\n" });
}

const request = "commit everything as feat(api): add user endpoint";
const byTool =
  (replies: Record<string, unknown>): PluginHandler =>
  ({ call }) =>
    call.toolName in replies ? replies[call.toolName] : { success: false, error: `No handler for ${call.toolName}` };

/** A prompt in a repository whose plugin answers so. */
async function prompted(prompt: string, handle: PluginHandler, more: object = {}, workspace = repository()) {
  const plugin = await pluginServer(handle);
  const node = sidecarNode(async () => "", {
    engine: builtinEngine(),
    runtime: { tools },
    services: { workspace: workspace.path },
  });
  const sessionId = await node.create({ callbackUrl: plugin.url, ...more });
  await node.send(sessionId, prompt);
  const told = async () => {
    const { push } = sidecar.fold(sessionId);
    return (await node.log(sessionId)).flatMap(push).map(({ event, text }) => [event, JSON.parse(text)] as const);
  };
  const ended = async () => {
    await until(async () => !(await (await node.runtime.open(sessionId)).busy()), "the end of the run");
    const all = await told();
    const of = (name: string) => all.filter(([event]) => event === name).map(([, data]) => data);
    const calls = of("timeline.toolCall").filter(({ status }) => status !== "running");
    return { calls, approvals: of("tool.approval"), last: of("timeline.message").at(-1), all };
  };
  return { ...node, plugin, sessionId, workspace, ended };
}

const callsOf = (plugin: { calls: { call: { toolName: string } }[] }) => plugin.calls.map(({ call }) => call.toolName);

describe("a commit", () => {
  const result = { commitSha: "abc123def456", message: "feat(api): add user endpoint" };

  test("is made by the plugin, which asks its user, with the document's own reply", async () => {
    const { plugin, ended, sessionId } = await prompted(request, byTool({ "git.commit": { success: true, result } }));
    const { calls, approvals, last } = await ended();
    const args = { type: "feat", scope: "api", description: "add user endpoint", breaking: false, all: true };
    expect(callsOf(plugin)).toEqual(["git.status", "git.commit"]);
    const { callId } = plugin.calls[1]?.call ?? {};
    expect(plugin.calls[1]?.call).toEqual({ sessionId, toolName: "git.commit", callId, args, requiresApproval: true });
    expect(calls).toMatchObject([
      { toolName: "git.status", status: "done", result: { clean: false } }, // done here, since the plugin cannot
      { callId, toolName: "git.commit", args, status: "done", result },
    ]);
    expect(approvals.filter((each) => each.toolName === "git.commit")).toMatchObject([
      { callId, requiresApproval: true, title: "Commit feat(api): add user endpoint?" },
      { callId, requiresApproval: false, outcome: "answered", approved: true, by: "tool callback" },
    ]);
    expect(last).toMatchObject({ done: true, content: "Committed `abc123d` `feat(api): add user endpoint`." });
  });

  test("that the user denies is denied, and the run goes on with what they said", async () => {
    const denied = { success: false, error: "User denied tool execution", userMessage: "Operation cancelled by user" };
    const { ended, events, sessionId } = await prompted(
      `${request}, then list files`,
      byTool({ "git.commit": denied }),
    );
    const { calls, last, all } = await ended();
    expect(calls.find(({ toolName }) => toolName === "git.commit")).toMatchObject({
      status: "failed",
      error: "Operation cancelled by user",
    });
    expect((await events(sessionId, "tool.finished")).flatMap(({ error }) => error?.code ?? [])).toEqual(["denied"]);
    expect(last).toMatchObject({ done: true });
    expect(JSON.stringify(all)).toContain("Operation cancelled by user");
    expect(await events(sessionId, "run.completed")).toHaveLength(1);
  });

  test("that the plugin cannot make has failed, with its words", async () => {
    const failed = { success: false, error: "index.lock exists" };
    const { ended, events, sessionId } = await prompted(request, byTool({ "git.commit": failed }));
    const { calls, last } = await ended();
    expect(calls.at(-1)).toMatchObject({ toolName: "git.commit", status: "failed", error: "index.lock exists" });
    expect((await events(sessionId, "tool.finished")).at(-1)?.error?.code).toBe("tool_failed");
    expect(last.content).toContain("index.lock exists");
  });

  test("that nobody agrees to in time is denied", async () => {
    const { plugin, clock, ended, events, sessionId } = await prompted(
      request,
      ({ call }) => (call.toolName === "git.status" ? { success: false } : undefined),
      { callbackTimeoutMs: 5000 },
    );
    await until(() => plugin.calls.length === 2);
    clock.advance(5000);
    const { calls } = await ended();
    expect(calls.at(-1)).toMatchObject({ toolName: "git.commit", status: "failed", error: "Nobody answered in time." });
    expect((await events(sessionId, "tool.finished")).at(-1)?.error?.code).toBe("denied");
  });

  test("that was allowed and takes too long has timed out", async () => {
    const { plugin, clock, ended, events, sessionId } = await prompted(
      request,
      ({ call }) => (call.toolName === "git.status" ? { success: false } : undefined),
      { callbackTimeoutMs: 5000, permissions: { "git.commit": "allow" } },
    );
    await until(() => plugin.calls.length === 2);
    clock.advance(5000);
    const { calls, approvals } = await ended();
    expect(approvals.at(-2)).toMatchObject({ toolName: "git.commit", requiresApproval: false });
    expect(calls.at(-1)).toMatchObject({ status: "failed", error: "The client did not do it within 5 s." });
    expect((await events(sessionId, "tool.finished")).at(-1)?.error?.code).toBe("tool_timeout");
  });

  test("that the permissions deny is not even put to the plugin", async () => {
    const { plugin, ended } = await prompted(request, byTool({}), { permissions: { "git.commit": "deny" } });
    const { calls } = await ended();
    expect(callsOf(plugin)).toEqual(["git.status"]);
    expect(calls.at(-1)).toMatchObject({ toolName: "git.commit", status: "failed" });
  });
});

test.each([
  ["write notes.txt with hello", "fs.write", { path: "notes.txt", content: "hello\n" }, "Created `notes.txt`"],
  ["run echo hi", "exec.run", { command: "echo hi", timeoutMs: 120_000 }, "ended with exit code 0"],
  ["create a branch topic", "git.createBranch", { name: "topic" }, "Created the branch topic"],
])("'%s' is done by the plugin as %s, whatever its result looks like", async (prompt, toolName, args, said) => {
  for (const result of [{}, undefined, null, "ok", { exitCode: 0, stdout: "hi\n", created: true }]) {
    const { plugin, ended, workspace } = await prompted(prompt, () => ({ success: true, result }));
    const { last, calls } = await ended();
    expect(plugin.calls.map(({ call }) => [call.toolName, call.args])).toEqual([[toolName, args]]);
    expect(calls).toMatchObject([{ toolName, status: "done" }]);
    expect(last).toMatchObject({ done: true });
    if (toolName !== "fs.write") expect(last.content).toContain(said);
    expect(() => workspace.text("notes.txt")).toThrow("ENOENT");
  }
});

test("an edit is put to the plugin as the file that comes of it", async () => {
  const { plugin, ended, workspace } = await prompted("replace `export` with `import` in user.ts", () => ({
    success: true,
  }));
  expect((await ended()).last).toMatchObject({ done: true, content: "Replaced 1 place in `user.ts`." });
  expect(plugin.calls.map(({ call }) => [call.toolName, call.args])).toEqual([
    ["fs.write", { path: "user.ts", content: "import {};\n" }],
  ]);
  expect(workspace.text("user.ts")).toBe("export {};\n");
});
