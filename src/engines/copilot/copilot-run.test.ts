import { expect, test } from "vitest";
import type { EngineIO, Turn } from "../../core/engine.ts";
import { randomId } from "../../core/ids.ts";
import { settle } from "../../testing/scripted.ts";
import type { CopilotConversation, CopilotUser } from "./copilot-conversation.ts";
import { runTurn } from "./copilot-run.ts";
import type { CopilotRuntime } from "./copilot-runtime.ts";

/** A run on a runtime that takes the message, and stops, when it is let. */
function running() {
  const done: string[] = [];
  const controller = new AbortController();
  let user: CopilotUser | undefined;
  let take = (_: string) => {};
  const conversation = {
    open: async () => ({ id: "theirs" }),
    send: () => new Promise<string>((resolve) => (take = resolve)),
    abort: async () => {
      done.push("aborted");
      user?.hear({ type: "session.idle", data: { aborted: true } } as Parameters<CopilotUser["hear"]>[0]);
    },
  } as Partial<CopilotConversation> as CopilotConversation;
  const runtime = {
    conversation,
    ended: false,
    workFor: (worker) => {
      user = worker;
      return () => void done.push("left");
    },
    unlessLost: (work) => work,
    end: async () => void done.push("ended"),
  } as Partial<CopilotRuntime> as CopilotRuntime;
  const kept: string[] = [];
  const io = {
    emit: async () => {},
    offeredTools: () => [],
    keep: (id) => void kept.push(id),
    onKill: () => () => {},
  } as Partial<EngineIO> as EngineIO;
  const turn: Turn = {
    sessionId: randomId(),
    runId: randomId(),
    workspace: "/w",
    kind: "prompt",
    input: { text: "Hello" },
    by: { dialect: "test" },
  };
  const around = { turn, prompt: "Hello", model: undefined, io, signal: controller.signal, runtime };
  return { run: runTurn(around), done, kept, cancel: () => controller.abort(), take: (id: string) => take(id) };
}

test("a cancel does not overtake the message, which it would not stop then, and leaves the runtime for the next run", async () => {
  const { run, done, kept, cancel, take } = running();
  await settle();
  expect(kept).toEqual(["theirs"]);
  cancel();
  await settle();
  expect(done).toEqual([]);
  take("message");
  await expect(run).rejects.toThrow();
  expect(done).toEqual(["aborted", "left"]);
});

test("a cancel before the message is sent leaves it unsent, and there is nothing to stop", async () => {
  const { run, done, cancel } = running();
  cancel();
  await expect(run).rejects.toThrow();
  expect(done).toEqual(["left"]);
});
