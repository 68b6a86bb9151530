import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { me, ofType, prompt } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, until } from "../testing/scripted.ts";
import type { AgentCall, Permission } from "./engine.ts";
import type { Permissions, Rule, RuleBook } from "./rules.ts";
import { Runtime } from "./runtime.ts";

const CALL = "6f1f0a52-7a0e-4c52-9b4b-0d3a3c1e2f10";

const call = (change: Partial<AgentCall> = {}): AgentCall => ({
  callId: CALL,
  tool: "bash",
  args: { command: "make" },
  as: { name: "shell", risk: "execute" },
  intent: async () => ({
    title: "Run make",
    targets: [],
    command: { text: "make", segments: [{ text: "make", words: ["make"] }] },
  }),
  ...change,
});

function book(permissions: Partial<Permissions> = {}) {
  const remembered: [string, string, Rule[]][] = [];
  const ruleBook: RuleBook = {
    read: async () => ({ trusted: false, allow: [], deny: [], ...permissions }),
    remember: async (...args) => void remembered.push(args),
  };
  return { ruleBook, remembered };
}

/** A run of an agent that wants to make one call. */
async function asking({ ruleBook } = book(), wanted = call(), attached = true) {
  const store = memoryStore();
  let permission: Permission | undefined;
  const agent = scripted(async (_, io) => {
    await io.emit({ type: "tool.requested", callId: CALL, tool: wanted.tool, args: wanted.args });
    permission = await io.permit(wanted);
    return "done";
  });
  const runtime = new Runtime({ store, engines: [agent], ruleBook });
  const session = await runtime.create({ workspace: tmpdir(), engine: "scripted" });
  if (attached) session.attach(["confirm"]);
  const { runId } = await prompt(session, "go");
  const log = () => readAll(store, session.id);
  const ask = async () => {
    await until(async () => ofType(await log(), "ask.opened").length > 0, "an ask");
    return ofType(await log(), "ask.opened")[0];
  };
  const end = async () => {
    await session.settled();
    return permission;
  };
  return { session, runId, log, ask, end };
}

describe("a call that an agent makes itself", () => {
  test("is asked about under the agent's own name for it, and a yes allows it", async () => {
    const { session, ask, end, log } = await asking();
    const opened = await ask();
    expect(opened).toMatchObject({
      kind: "confirm",
      title: "Run make?",
      callId: CALL,
      tool: "bash",
      args: { command: "make" },
    });
    await session.answer(opened?.askId ?? "", { ok: true }, me);
    expect(await end()).toEqual({ allowed: true });
    expect(ofType(await log(), "tool.requested")).toHaveLength(1);
    expect(ofType(await log(), "tool.finished")).toEqual([]); // how it ends is the agent's to say
  });

  test("goes on with what the person said, and not where they said nothing", async () => {
    for (const reason of ["use npm", undefined]) {
      const { session, ask, end } = await asking();
      await session.answer((await ask())?.askId ?? "", { ok: false, reason }, me);
      const message = reason ?? "The user said no.";
      const words = reason === undefined ? {} : { reason };
      expect(await end()).toEqual({ allowed: false, code: "denied", message, goOn: reason !== undefined, ...words });
    }
  });

  test("is allowed, denied and remembered by the rules of the tool of ours that does the same", async () => {
    const allowed = await asking(book({ allow: [{ tool: "shell", command: "make" }] }));
    expect(await allowed.end()).toEqual({ allowed: true });
    expect(ofType(await allowed.log(), "ask.opened")).toEqual([]);
    const denied = await asking(book({ deny: [{ tool: "shell", command: "make" }] }));
    expect(await denied.end()).toMatchObject({ allowed: false, code: "denied", goOn: true });
    const rules = book();
    const { session, ask, end } = await asking(rules);
    await session.answer((await ask())?.askId ?? "", { ok: true, remember: true }, me);
    await end();
    expect(rules.remembered.map(([, ...rest]) => rest)).toEqual([["allow", [{ tool: "shell", command_glob: "make" }]]]);
  });

  test("is denied where nobody could agree to it", async () => {
    const { end } = await asking(book(), call(), false);
    expect(await end()).toMatchObject({ allowed: false, code: "denied", goOn: true });
  });

  test("is not allowed when the run was cancelled meanwhile", async () => {
    const { session, runId, ask, end } = await asking();
    await ask();
    await session.cancel(runId, "enough", me);
    expect(await end()).toMatchObject({ allowed: false, code: "cancelled", goOn: false });
  });

  test("is not allowed where what it would do cannot be found out", async () => {
    const wanted = call({ intent: () => Promise.reject(new Error("no such folder")) });
    expect(await (await asking(book(), wanted)).end()).toMatchObject({ allowed: false, message: "no such folder" });
  });
});
