import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { AgentCall, EngineIO } from "../../core/engine.ts";
import { type Decision, decide } from "../../core/policy.ts";
import type { Rules } from "../../core/rules.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { ToldCall } from "./call-readings.ts";
import { permitCall } from "./permit-call.ts";

const folder = temporaryFolder();
let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(folder.path, "w-")));
});

/** What the rules say to a call, and whether it may be made where everyone who is asked says yes. */
async function judged(told: Partial<ToldCall>, rules: Partial<Rules> = {}) {
  const looks: { as: AgentCall["as"]; title: string; decision: Decision }[] = [];
  const permit: EngineIO["permit"] = async ({ as, intent }) => {
    const meant = await intent({ workspace, trusted: false });
    const decision = decide(as, meant, { allow: [], deny: [], ...rules });
    looks.push({ as, title: meant.title, decision });
    if (decision.verdict !== "deny") return { allowed: true };
    return { allowed: false, code: "denied", message: decision.why, goOn: true };
  };
  const call = { name: undefined, title: "", kind: "other", rawInput: {}, content: [], locations: [], ...told };
  const asked = { callId: "1", tool: "tool", args: {} };
  const permission = await permitCall({ permit }, asked, call, { source: "agent", workspace });
  return { looks, verdicts: looks.map(({ decision }) => decision.verdict), allowed: permission.allowed };
}

test("a call may be made only where everything is allowed that it may be", async () => {
  const told = { name: "exec", rawInput: { command: "npm test" } };
  const allow = [{ tool: "shell", command: "npm test" }];
  expect((await judged(told, { allow })).verdicts).toEqual(["allow", "ask"]);
  expect((await judged(told, { allow: [...allow, { tool: "agent:exec" }] })).verdicts).toEqual(["allow", "allow"]);
  const deny = [{ tool: "shell", command: "npm" }];
  expect(await judged(told, { deny })).toMatchObject({ verdicts: ["deny"], allowed: false });
  expect(await judged(told, { allow, deny: [{ tool: "agent:exec" }] })).toMatchObject({ allowed: false });
});

test.each(["read", "shell", "edit", "list"])(
  "a rule for our `%s` is none for an agent's tool of that name",
  async (tool) => {
    const told = { name: tool, kind: "other", rawInput: { what: "all" } };
    expect((await judged(told, { allow: [{ tool }] })).looks).toMatchObject([
      { as: { name: `agent:${tool}` }, decision: { verdict: "ask", remember: [{ tool: `agent:${tool}` }] } },
    ]);
  },
);

test("what has no name is asked about each time: a rule would be one about everything", async () => {
  const { looks } = await judged({ title: "create_issue (github MCP Server)" });
  expect(looks).toMatchObject([
    { title: "create_issue (github MCP Server)", decision: { verdict: "ask", danger: true, remember: [] } },
  ]);
});

test("a tool that is allowed is not allowed outside of the workspace", async () => {
  const allow = [{ tool: "agent:copy" }];
  const copying = (to: string) => judged({ name: "copy", rawInput: { path: "a", to } }, { allow });
  expect((await copying("b")).verdicts).toEqual(["allow"]);
  expect((await copying("/etc/b")).looks).toMatchObject([{ decision: { verdict: "ask", danger: true, remember: [] } }]);
});

test("nor is a command that the agent says has to do with files elsewhere, however harmless it looks", async () => {
  const allow = [{ tool: "shell" }];
  const running = (directory: string) => ({ kind: "execute", rawInput: { command: "make", directories: [directory] } });
  expect((await judged(running("src"), { allow })).verdicts).toEqual(["allow"]);
  expect((await judged(running("/etc"), { allow })).looks).toMatchObject([
    { decision: { verdict: "ask", danger: true } },
  ]);
});

test("opencode asks about a folder elsewhere as about something of no kind", async () => {
  const rawInput = { filePath: "/etc/hostname", filepath: "/etc/hostname", parentDir: "/etc" };
  const locations = [{ path: "/etc/hostname" }, { path: "/etc" }];
  const { looks } = await judged({ title: "/etc", rawInput, locations }, { allow: [{ tool: "read" }] });
  expect(looks).toMatchObject([
    { title: "/etc", decision: { verdict: "ask", why: expect.stringContaining("It touches /etc/hostname") } },
  ]);
});

test("reading in the workspace goes without saying, and what only claims to read does not", async () => {
  const read = { kind: "read", locations: [{ path: "a" }] };
  expect((await judged({ ...read, rawInput: { path: "a" } })).verdicts).toEqual(["allow"]);
  expect((await judged({ ...read, rawInput: { path: "/etc/hostname" } })).verdicts).toEqual(["ask"]);
  expect((await judged({ ...read, rawInput: { path: "~/a" } })).verdicts).toEqual(["ask"]);
  expect((await judged({ ...read, rawInput: { path: "a", mode: "w" } })).verdicts).toEqual(["ask"]);
  expect((await judged({ ...read, rawInput: { command: "cat a" } })).verdicts).toEqual(["ask"]);
});

test("a file that goes away is not asked about as a change of it", async () => {
  writeFileSync(join(workspace, "a"), "");
  const titles = async (kind: string) => (await judged({ kind, locations: [{ path: "a" }] })).looks[0]?.title;
  expect([await titles("edit"), await titles("delete"), await titles("move")]).toEqual([
    "Change a",
    "Delete a",
    "Move a",
  ]);
});
