import type { SessionEvent } from "@github/copilot-sdk";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import type { AgentCall, Emitted, EngineIO } from "../../core/engine.ts";
import { randomId } from "../../core/ids.ts";
import { settle } from "../../testing/scripted.ts";
import { CopilotTurn } from "./copilot-turn.ts";

/** A turn whose words are written one after the other, each when it is let through. */
function turning() {
  const said: string[] = [];
  const writing: (() => void)[] = [];
  const held: boolean[] = [];
  let isSlow = false;
  const emit = async (event: Emitted) => {
    said.push("text" in event ? event.text : "tool" in event ? event.tool : event.type);
    if (isSlow) await new Promise<void>((resolve) => writing.push(resolve));
  };
  const ask = async () => {
    said.push("a question");
    return { outcome: "answered" as const, answer: { value: "yes", ok: true } };
  };
  const tool = async (name: string) => {
    said.push(`a call of ${name}`);
    return { outcome: "done" as const, callId: "c", result: 1 };
  };
  const permit = async ({ tool: name }: AgentCall) => {
    said.push(`may ${name}?`);
    return { allowed: true as const };
  };
  let read = (_: { id: string }[]) => {};
  const conversation = {
    folder: undefined,
    isClientTool: () => false,
    abort: async () => {},
    todos: () => new Promise<{ id: string }[]>((resolve) => (read = resolve)),
  };
  const clock = new ManualClock();
  const io = { emit, ask, tool, permit } as Partial<EngineIO> as EngineIO;
  const worker = { conversation, hold: (isHeld: boolean) => void held.push(isHeld) };
  const turn = new CopilotTurn({ runId: randomId(), workspace: "/w" }, io, worker, clock);
  let isOver = false;
  turn.over.then(() => {
    isOver = true;
  });
  return {
    turn,
    said,
    held,
    clock,
    hear: (type: string, data: object = {}, agentId?: string) => turn.hear({ type, data, agentId } as SessionEvent),
    say: (text: string) =>
      turn.hear({ type: "assistant.message", data: { messageId: randomId(), content: text } } as SessionEvent),
    slowDown: () => {
      isSlow = true;
    },
    letThrough: async () => {
      isSlow = false;
      for (const each of writing.splice(0)) each();
      await settle();
    },
    isOver: async () => {
      await settle();
      return isOver;
    },
    tellTodos: (...ids: string[]) => read(ids.map((id) => ({ id }))),
  };
}

describe("while words wait to be written", () => {
  test.each([
    ["a question", (turn: CopilotTurn) => turn.answer({ question: "Why?" })],
    ["a question", (turn: CopilotTurn) => turn.judgePlan({ summary: "", actions: [], recommendedAction: "" })],
    ["a call of lookup", (turn: CopilotTurn) => turn.useTool("lookup", {})],
  ])("%s does not overtake them", async (what, ask) => {
    const { turn, said, say, slowDown, letThrough } = turning();
    slowDown();
    say("I have to know.");
    const asking = ask(turn);
    await settle();
    expect(said).toEqual(["I have to know."]);
    await letThrough();
    await asking;
    expect(said).toEqual(["I have to know.", what]);
  });

  test("no more of them are taken than can wait, until there is room again", async () => {
    const { said, held, say, slowDown, letThrough } = turning();
    slowDown();
    for (let n = 0; n < 501; n++) say(".");
    await settle();
    expect(held).toEqual([true]);
    await letThrough();
    await settle(2000);
    expect(held).toEqual([true, false]);
    expect(said).toHaveLength(501);
  });
});

describe("a call that is asked about", () => {
  const request = { kind: "url", toolCallId: "1", url: "https://example.org/", intention: "Look" } as const;

  test("before it is told of goes by what is told", async () => {
    const { turn, said, hear } = turning();
    const asking = turn.permit(request);
    await settle();
    expect(said).toEqual([]);
    hear("tool.execution_start", { toolCallId: "1", toolName: "web_fetch", arguments: {} }, "a sub-agent");
    expect(await asking).toEqual({ kind: "approve-once" });
    expect(said).toEqual(["web_fetch", "may fetch?"]);
  });

  test("and is never told of goes by what it is asked about", async () => {
    const { turn, said, clock } = turning();
    const asking = turn.permit(request);
    await settle();
    clock.advance(500);
    expect(await asking).toEqual({ kind: "approve-once" });
    expect(said).toEqual(["url", "may fetch?"]);
  });

  test("twice at once is put to the user once", async () => {
    const { turn, said, hear } = turning();
    hear("tool.execution_start", { toolCallId: "1", toolName: "web_fetch", arguments: {} });
    const answers = await Promise.all([turn.permit(request), turn.permit(request)]);
    expect(answers).toEqual([{ kind: "approve-once" }, { kind: "approve-once" }]);
    expect(said).toEqual(["web_fetch", "may fetch?"]);
  });

  test("and has no id is told of from beginning to end", async () => {
    const { turn, said } = turning();
    await turn.permit({ ...request, toolCallId: undefined });
    expect(said).toEqual(["url", "may fetch?", "tool.finished"]);
  });
});

describe("a turn is over", () => {
  test("when Copilot is idle after it has begun with our message, not with what was before", async () => {
    const { turn, hear, isOver } = turning();
    hear("user.message", { messageId: "earlier" });
    hear("session.idle");
    turn.sent("ours");
    expect(await isOver()).toBe(false);
    hear("user.message", { messageId: "ours" });
    expect(await isOver()).toBe(false);
    hear("session.idle", {}, "a sub-agent");
    expect(await isOver()).toBe(false);
    hear("session.idle");
    expect(await isOver()).toBe(true);
  });

  test("when it broke off before it began, which is a failure unless it was told to", async () => {
    const { turn, hear, isOver } = turning();
    turn.sent("ours");
    hear("session.idle", { aborted: true });
    expect(await isOver()).toBe(true);
    await expect(turn.result()).rejects.toMatchObject({
      code: "engine_failed",
      message: "Copilot broke off its work. Try again.",
    });
  });

  test("only when its plan was told, however late that is read", async () => {
    const { turn, hear, said, tellTodos } = turning();
    hear("session.todos_changed");
    await settle();
    const result = turn.result();
    await settle();
    hear("session.todos_changed"); // while it is read
    await settle();
    tellTodos("a");
    await settle();
    tellTodos("a", "b");
    await result;
    expect(said).toEqual(["plan.updated", "plan.updated"]);
  });
});

test("that Copilot waits for something is told when it does so for a second", async () => {
  const { hear, said, clock } = turning();
  hear("assistant.idle");
  await settle();
  clock.advance(999);
  hear("assistant.turn_start");
  await settle();
  clock.advance(5000);
  expect(said).toEqual([]);
  hear("assistant.idle");
  await settle();
  clock.advance(1000);
  expect(said).toEqual(["Copilot waits for what it has started in the background. Cancel the run to stop that."]);
});
