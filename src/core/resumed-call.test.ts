import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import { lostProcess, me, ofType, prompt } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { ManualClock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { EventOf } from "./events.ts";
import type { Permissions, Rule, RuleBook } from "./rules.ts";
import { Runtime } from "./runtime.ts";
import type { Intent, Risk, Tool, ToolReply } from "./tool.ts";

interface Args {
  text: string;
  times: number;
}

/** What tools and rules say, in every process; a test may change its mind. */
class Circumstances {
  readonly done: string[] = [];
  readonly remembered: [string, string, Rule[]][] = [];
  readonly permissions: Permissions = { trusted: false, allow: [], deny: [] };
  intent: Intent = { title: "Note it", detail: "in a book", targets: [], basis: "as it was" };
  tools: Tool<Args>[] = [
    {
      name: "note",
      description: "Notes a text.",
      kind: "edit",
      risk: "edit",
      args: z.object({ text: z.string(), times: z.number().default(1) }),
      intent: async () => this.intent,
      run: async ({ text, times }) => {
        this.done.push(text.repeat(times));
        return { result: { noted: text }, diff: `+${text}` };
      },
    },
  ];
  readonly ruleBook: RuleBook = {
    read: async () => this.permissions,
    remember: async (...args) => void this.remembered.push(args),
  };
}

type Call = EventOf<"tool.requested">;

const requested = (log: { type: string }[]) => log.find(({ type }) => type === "tool.requested") as Call;

/** A call that waits for a yes in a process that is gone, taken over by another one. `change`: what is other in that one. */
async function takenOver(
  change: (circumstances: Circumstances) => void = () => {},
  { toCall = (call: Call) => call, risk = "edit" }: { toCall?(call: Call): Call; risk?: Risk } = {},
) {
  const circumstances = new Circumstances();
  circumstances.tools = circumstances.tools.map((tool) => ({ ...tool, risk }));
  const clock = new ManualClock();
  const { ruleBook } = circumstances;
  const replies: ToolReply[] = [];
  const engine: Engine = {
    ...scripted(async (_, io) => {
      await io.tool("note", { text: "x" });
      return "";
    }),
    resume: async (_, log, io) => {
      const [ask] = ofType(log, "ask.opened");
      if (ask) replies.push(await io.resumeTool(toCall(requested(log)), ask));
      return { text: "" };
    },
  };
  const store = memoryStore();
  const node = () =>
    new Runtime({ store, engines: [engine], tools: circumstances.tools, ruleBook, clock, identity: lostProcess() });
  const begun = await node().create({ workspace: tmpdir(), engine: "scripted" });
  begun.attach(["confirm"]);
  const { runId } = await prompt(begun, "go");
  const log = () => readAll(store, begun.id);
  const asks = async () => ofType(await log(), "ask.opened");
  const asked = async (count = 1) => {
    await until(async () => (await asks()).length === count, "an ask");
    return (await asks()).at(-1)?.askId ?? "";
  };
  await asked();
  const before = await log();
  change(circumstances);
  const next = node();
  await next.own(begun.id);
  const session = await next.open(begun.id);
  session.attach(["confirm"]);
  const ended = async () => {
    await session.settled();
    expect(faultsOf(await log(), { ended: true })).toEqual([]);
    return replies[0];
  };
  const since = async () => (await log()).slice(before.length);
  return { session, runId, clock, circumstances, log, asks, asked, ended, since };
}

describe("a call that waited for a yes in another process", () => {
  test("is done after it, under the same id, and requested only once", async () => {
    const { session, circumstances, asked, ended, log, since } = await takenOver();
    await settle();
    expect([circumstances.done, await since()]).toEqual([[], []]);
    await session.answer(await asked(), { ok: true }, me);
    const { callId } = requested(await log());
    expect(await ended()).toEqual({ outcome: "done", callId, result: { noted: "x" }, diff: "+x" });
    expect(circumstances.done).toEqual(["x"]);
    expect(await since()).toMatchObject([
      { type: "ask.closed", outcome: "answered" },
      { type: "tool.finished", callId, result: { noted: "x" }, diff: "+x" },
      { type: "run.completed" },
    ]);
  });

  test.each([
    ["not here", true],
    [undefined, false],
  ])("is not done after a no (%s)", async (reason, goOn) => {
    const { session, circumstances, asked, ended, since } = await takenOver();
    await session.answer(await asked(), { ok: false, reason }, me);
    const message = reason ?? "The user said no.";
    expect(await ended()).toMatchObject({ outcome: "denied", message, goOn });
    expect(circumstances.done).toEqual([]);
    expect(ofType(await since(), "tool.finished")).toMatchObject([{ error: { code: "denied", message } }]);
  });

  test("is not done after a no, though a rule came to allow it meanwhile", async () => {
    const { session, circumstances, asked, ended } = await takenOver(({ permissions }) => {
      permissions.allow.push({ tool: "note" });
    });
    await session.answer(await asked(), { ok: false }, me);
    expect(await ended()).toMatchObject({ outcome: "denied" });
    expect(circumstances.done).toEqual([]);
  });

  test("is not done after a yes, when a rule came to deny it meanwhile", async () => {
    const { session, circumstances, asked, ended } = await takenOver(({ permissions }) => {
      permissions.deny.push({ tool: "note" });
    });
    await session.answer(await asked(), { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "denied", message: "A rule denies every note.", goOn: true });
    expect(circumstances.done).toEqual([]);
  });

  test.each<[what: string, change: Partial<Intent>]>([
    ["what it relies on", { basis: "other" }],
    ["what it touches", { targets: [{ path: "a", real: "/w/a", outside: false, control: false, writes: true }] }],
  ])("is asked about anew when that changed meanwhile: %s", async (_, change) => {
    const { session, circumstances, asked, ended, asks } = await takenOver((now) => {
      now.intent = { ...now.intent, ...change };
    });
    await session.answer(await asked(), { ok: true }, me);
    const second = await asked(2);
    expect(circumstances.done).toEqual([]);
    const [old, fresh] = await asks();
    expect(fresh?.callId).toBe(old?.callId);
    expect(fresh?.digest).not.toBe(old?.digest);
    await session.answer(second, { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "done" });
    expect(circumstances.done).toEqual(["x"]);
  });

  test("is asked about anew when an engine would have other arguments executed than were agreed to", async () => {
    const other = (call: Call): Call => ({ ...call, args: { text: "rm -rf", times: 1 } });
    const { session, circumstances, asked, ended, asks } = await takenOver(() => {}, { toCall: other });
    await session.answer(await asked(), { ok: true }, me);
    const second = await asked(2);
    expect(circumstances.done).toEqual([]);
    expect((await asks()).at(-1)).toMatchObject({ args: { text: "rm -rf" } });
    await session.answer(second, { ok: false }, me);
    expect(await ended()).toMatchObject({ outcome: "denied" });
    expect(circumstances.done).toEqual([]);
  });

  test("leaves its engine no hand on the arguments", async () => {
    const args = { text: "x", times: 1 };
    const { session, circumstances, asked, ended } = await takenOver(() => {}, {
      toCall: (call) => ({ ...call, args }),
    });
    await settle();
    args.text = "rm -rf";
    await session.answer(await asked(), { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "done" });
    expect(circumstances.done).toEqual(["x"]);
  });

  test("is given up when it changes after every answer", async () => {
    let looks = 0;
    const { session, circumstances, asked, ended } = await takenOver((now) => {
      Object.defineProperty(now, "intent", { get: () => ({ title: "Note it", targets: [], basis: String(looks++) }) });
    });
    for (const count of [1, 2, 3]) await session.answer(await asked(count), { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "failed", code: "conflict" });
    expect(circumstances.done).toEqual([]);
  });

  test.each([
    [true, "allow"],
    [false, "deny"],
  ])("is remembered when that was wanted (%s)", async (ok, verdict) => {
    const { session, circumstances, asked, ended } = await takenOver();
    await session.answer(await asked(), { ok, remember: true }, me);
    await ended();
    expect(circumstances.remembered).toEqual([[tmpdir(), verdict, [{ tool: "note" }]]]);
    expect(circumstances.done).toEqual(ok ? ["x"] : []);
  });

  test.each([true, false])(
    "is remembered in no other words than were shown, and whoever answered is told (%s)",
    async (ok) => {
      const { session, circumstances, asked, ended, since } = await takenOver((now) => {
        now.intent = { ...now.intent, detail: "in another book" };
      });
      await session.answer(await asked(), { ok, remember: true }, me);
      expect(await ended()).toMatchObject({ outcome: ok ? "done" : "denied" });
      expect(circumstances.remembered).toEqual([]);
      const text = "The answer counts, but could not be remembered: what it is about changed meanwhile.";
      expect(ofType(await since(), "note")).toMatchObject([{ level: "warning", text, source: "policy" }]);
    },
  );

  test("is not remembered where a rule says it already, nor where that was not offered", async () => {
    const allowed = await takenOver(({ permissions }) => void permissions.allow.push({ tool: "note" }));
    const otherWords = (now: Circumstances) => {
      now.intent = { ...now.intent, detail: "in another book" };
    };
    const dangerous = await takenOver(otherWords, { risk: "publish" });
    for (const { session, asked, ended, circumstances, log } of [allowed, dangerous]) {
      await session.answer(await asked(), { ok: true, remember: true }, me);
      expect(await ended()).toMatchObject({ outcome: "done" });
      expect([circumstances.remembered, ofType(await log(), "note")]).toEqual([[], []]);
    }
  });

  test("is not done when nobody answers in time, and its engine goes on", async () => {
    const { clock, asks, ended, circumstances } = await takenOver();
    const [ask] = await asks();
    clock.advance((ask?.expiresAt ?? 0) - clock.now());
    expect(await ended()).toMatchObject({ outcome: "denied", message: "Nobody answered in time.", goOn: true });
    expect(circumstances.done).toEqual([]);
  });

  test("is withdrawn with its run, and nothing is done", async () => {
    const { session, runId, ended, circumstances } = await takenOver();
    await session.cancel(runId, "enough", me);
    expect(await ended()).toMatchObject({ outcome: "failed", code: "cancelled" });
    expect(circumstances.done).toEqual([]);
  });

  test("fails when there is no such tool any more", async () => {
    const { session, asked, ended } = await takenOver(({ tools }) => void tools.splice(0));
    await session.answer(await asked(), { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "failed", code: "unknown_tool" });
  });
});
