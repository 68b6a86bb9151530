import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event, NewEvent, NewEventOf } from "../../core/events.ts";
import { emptySummary, isUnderWay, summarize } from "../../core/summary.ts";
import { arbitraryLog } from "../../testing/arbitrary-log.ts";
import { logOf, sessionId, start } from "../../testing/folded-live.ts";
import { recordings } from "../../testing/recordings.ts";
import { asksPerson } from "../question.ts";
import { live } from "./index.ts";
import { type Message, sessionState } from "./messages.ts";
import { emptySession, type SessionState, SessionView } from "./session-view.ts";

const runId = "12345678-0000-4000-8000-000000000002";
const created: NewEvent = { type: "session.created", workspace: "/w", engine: "copilot", model: "gpt-5", title: "T" };
const started: NewEventOf<"run.started"> = {
  type: "run.started",
  runId,
  kind: "prompt",
  input: { text: "Go" },
  by: { dialect: "ui" },
};
const answer = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "answer" });
const code = (text: string, language?: string): NewEvent => ({ type: "text.delta", runId, text, of: "code", language });
const thinking = (text: string): NewEvent => ({ type: "thinking.delta", runId, text });
const requested: NewEvent = { type: "tool.requested", runId, callId: "c1", tool: "write", args: { path: "a" } };
const finished: NewEvent = { type: "tool.finished", runId, callId: "c1", result: null, durationMs: 1 };
const asked: NewEvent = {
  type: "ask.opened",
  runId,
  askId: "a1",
  expiresAt: start,
  kind: "confirm",
  title: "Write a?",
  message: "",
  callId: "c1",
  tool: "write",
  args: { path: "a" },
};
const closed: NewEvent = { type: "ask.closed", runId, askId: "a1", outcome: "answered", answer: { ok: true } };
const completed: NewEvent = { type: "run.completed", runId, result: { text: "" } };

/** The messages of a log as they come over a wire, those of each event together. */
function messagesOf(events: Event[]): Message[][] {
  const { push } = live.fold(sessionId);
  return events.map((event) => push(event).map((frame) => JSON.parse(frame.text) as Message));
}

const copy = (state: SessionState): SessionState => JSON.parse(JSON.stringify(state));

/** As the server makes it. */
function viewOf(events: Event[], view = new SessionView()): SessionView {
  messagesOf(events).forEach((messages, index) => {
    for (const message of messages) view.take(message);
    view.reached(events[index]?.seq ?? 0);
  });
  return view;
}

const stateOf = (...events: NewEvent[]) => viewOf(logOf(created, ...events)).state;
const contents = (...events: NewEvent[]) =>
  stateOf(started, ...events)
    .messages.slice(1)
    .map(({ content }) => content);

describe("the state of a session", () => {
  test("is complete while a run is under way: what was said, what is open, and how far it is", () => {
    const plan: NewEvent = {
      type: "plan.updated",
      runId,
      planId: "p",
      steps: [{ stepId: "s", description: "Write", status: "running" }],
    };
    const usage: NewEvent = { type: "usage.updated", runId, contextUsed: 5, contextSize: 9, input: 1, output: 1 };
    const queued: NewEvent = { ...started, type: "run.queued", runId: "r2" };
    const state = stateOf(started, answer("Hm.\n"), plan, usage, requested, asked, queued, answer("And"));
    expect(state).toEqual({
      session_type: "copilot_discussion",
      workspace: "/w",
      engine: "copilot",
      model: "gpt-5",
      title: "T",
      status: "running",
      run_id: runId,
      queued_runs: ["r2"],
      messages: [
        { id: runId, role: "user", content: "Go", run_id: runId },
        { id: expect.any(String), role: "assistant", content: "Hm.\n", run_id: runId, model: "default" },
        {
          id: expect.any(String),
          role: "assistant",
          content: "And",
          run_id: runId,
          model: "default",
          open: true,
          block: { content_block_id: expect.any(String), content_type: "text" },
        },
      ],
      earlier_messages: 0,
      open_tool_calls: [
        {
          call_id: "c1",
          name: "write",
          args: { path: "a" },
          run_id: runId,
          is_client_initiated: false,
          started_at: "2026-01-01T00:00:00.006Z",
        },
      ],
      open_confirmations: [
        {
          call_id: "c1",
          name: "write",
          args: { path: "a" },
          run_id: runId,
          ask_id: "a1",
          kind: "confirm",
          title: "Write a?",
          message: "",
          expires_at: "2026-01-01T00:00:00.000Z",
        },
      ],
      files_touched: [],
      context_window: { used: 5, size: 9 },
      plan: { plan_id: "p", steps: [{ step_id: "s", description: "Write", status: "running" }] },
      last_seq: 9,
    });
  });

  test("is at rest when the run has ended, and says how", () => {
    const edit: NewEvent = { ...finished, diff: "--- a/x\n+++ b/x\n" } as NewEvent;
    const failed: NewEvent = { type: "run.failed", runId, error: { code: "engine_failed", message: "Broken" } };
    expect(stateOf(started, requested, asked, closed, edit, failed)).toEqual({
      ...emptySession(),
      session_type: "copilot_discussion",
      workspace: "/w",
      engine: "copilot",
      model: "gpt-5",
      title: "T",
      last_run: { run_id: runId, status: "failed", reason: "Broken" },
      messages: [{ id: runId, role: "user", content: "Go", run_id: runId }],
      files_touched: ["x"],
      last_seq: 7,
    });
  });

  test("tells of a session that changed its engine what it was for, still", () => {
    const planning: NewEvent = { type: "session.created", workspace: "/w", engine: "my_agent", purpose: "planning" };
    const changed: NewEvent = { type: "session.updated", engine: "$&_x", title: "New", model: "m", workspace: "/v" };
    expect(viewOf(logOf(planning, changed)).state).toMatchObject({
      session_type: "$&_x_planning",
      engine: "$&_x",
      title: "New",
      model: "m",
      workspace: "/v",
    });
  });

  test("has no model any more where another engine has none named, and keeps it where only the title is another", () => {
    expect(stateOf({ type: "session.updated", engine: "codex" })).not.toHaveProperty("model");
    expect(stateOf({ type: "session.updated", title: "New" })).toMatchObject({ engine: "copilot", model: "gpt-5" });
  });

  test("is closed with the session, and stays so when what was under way ends after it", () => {
    const ended: NewEvent = { type: "session.closed" };
    const cancelled: NewEvent = { type: "run.cancelled", runId, reason: "session_closed" };
    expect(stateOf(started, ended, cancelled)).toMatchObject({
      status: "closed",
      last_run: { run_id: runId, status: "cancelled" },
    });
    expect(stateOf(started, ended, cancelled)).not.toHaveProperty("run_id");
  });

  test("does not take a run for the latest that was cancelled in the queue", () => {
    const queued: NewEvent = { ...started, type: "run.queued", runId: "r2" };
    const dropped: NewEvent = { type: "run.cancelled", runId: "r2", reason: "no", askedBy: started.by };
    expect(stateOf(started, completed, queued, dropped)).toMatchObject({
      queued_runs: [],
      last_run: { run_id: runId, status: "completed" },
    });
  });

  test("keeps of a call that the client is to run when it began, and what it is", () => {
    const byClient = { ...asked, kind: "tool" } as NewEvent;
    expect(stateOf(started, { ...requested, kind: "edit" } as NewEvent, byClient).open_tool_calls).toEqual([
      {
        call_id: "c1",
        name: "write",
        args: { path: "a" },
        run_id: runId,
        is_client_initiated: false,
        title: "Write a?",
        executor: "client",
        kind: "edit",
        started_at: "2026-01-01T00:00:00.003Z",
      },
    ]);
    expect(stateOf(started, requested, byClient, finished).open_tool_calls).toEqual([]);
  });

  test("keeps of a client's own call that it is one, and its correlation id, also when a client is to run it", () => {
    const by = { dialect: "live", requestId: "corr-9", call: { id: "mine", name: "write" } };
    const byClient = { ...asked, kind: "tool" } as NewEvent;
    for (const events of [[requested], [requested, byClient]]) {
      expect(stateOf({ ...started, kind: "tool", by }, ...events).open_tool_calls).toMatchObject([
        { call_id: "mine", is_client_initiated: true, correlation_id: "corr-9" },
      ]);
    }
  });
});

describe("what was said", () => {
  test("has its fences as they were written, and no thoughts", () => {
    const text = "See\n   ```ts  x\nlet a;\n````\nEnd";
    expect(contents(thinking("Hm"), ...[...text].map(answer), completed)).toEqual([text]);
  });

  test("has fences around code that came without, each on a line of its own", () => {
    expect(contents(answer("Look:"), code("<a>", "html"), code("</a>"), code("b {}\n", "css"), answer("."))).toEqual([
      "Look:\n````html\n<a></a>\n````\n````css\nb {}\n````\n.",
    ]);
  });

  test("is not there where it was nothing but thoughts", () => {
    expect(contents(thinking("Hm"), requested, finished, completed)).toEqual([]);
  });

  test("is closed by the next prompt, whatever came of its end", () => {
    const view = viewOf(logOf(created, started, answer("Hi")));
    const [prompt] = messagesOf(logOf(started)).flat();
    if (prompt) view.take({ ...prompt, seq: 9 });
    expect(view.state.messages.map(({ content, open }) => [content, open])).toEqual([
      ["Go", undefined],
      ["Hi", undefined],
      ["Go", undefined],
    ]);
  });
});

describe("events that are gone", () => {
  const gap = (to: number) => live.fold(sessionId).gap({ from: 1, to, at: start }).message as Message;

  test("have ended what was under way", () => {
    const view = viewOf(logOf(created, started, requested, asked, answer("Hi")));
    view.take(gap(50));
    expect(view.state).toMatchObject({ status: "idle", open_tool_calls: [], open_confirmations: [], last_seq: 50 });
    expect(view.state).not.toHaveProperty("run_id");
    expect(view.state.messages.at(-1)).not.toHaveProperty("open");
  });

  test("change nothing where the view had heard of them, or begun behind them", () => {
    const { state } = viewOf(logOf(created, started, requested, asked, answer("Hi")));
    const view = new SessionView(copy(state));
    view.take(gap(5));
    expect(view.state).toEqual(copy(state));
  });

  test("leave the end of a run to be told whose beginning is among them", () => {
    const view = new SessionView();
    view.take(gap(1));
    const [, , ends] = messagesOf(logOf(created, started, completed));
    for (const message of ends ?? []) view.take(message);
    expect(view.state).toMatchObject({ status: "idle", last_run: { run_id: runId, status: "completed" } });
  });
});

describe("bounds", () => {
  const longPrompts = (count: number) =>
    Array.from({ length: count }, (_, n): NewEvent[] => [
      { ...started, runId: `r${n}`, input: { text: "x".repeat(60_000) } },
      { type: "run.cancelled", runId: `r${n}`, reason: "" },
    ]).flat();
  const characters = ({ messages }: SessionState) => messages.reduce((sum, { content }) => sum + content.length, 0);

  test("keep the newest messages, and count the others", () => {
    const runs = Array.from({ length: 700 }, (_, n): NewEvent[] => [
      { ...started, runId: `r${n}`, input: { text: `${n}` } },
      { type: "run.cancelled", runId: `r${n}`, reason: "" },
    ]);
    const { messages, earlier_messages } = stateOf(...runs.flat());
    expect([messages.length, messages[0]?.content, earlier_messages]).toEqual([500, "200", 200]);
  });

  test("keep of long messages the newest, and of a very long one its end", () => {
    const many = stateOf(...longPrompts(30));
    expect([many.messages.length, many.earlier_messages]).toEqual([8, 22]);
    const long = stateOf(started, ...Array.from({ length: 60 }, (_, n) => answer(`${n}`.padEnd(60_000, "."))));
    expect(long.earlier_messages).toBe(1);
    expect(long.messages).toMatchObject([{ role: "assistant", truncated: true }]);
    expect(characters(long)).toBeLessThanOrEqual(1024 * 1024);
    expect(long.messages[0]?.content.endsWith("59".padEnd(60_000, "."))).toBe(true);
    expect(characters(viewOf([], new SessionView(copy(long))).state)).toBe(characters(long));
  });

  test("go on being kept by a view that began with a state", () => {
    const events = logOf(created, ...longPrompts(30));
    const view = new SessionView(copy(viewOf(events.slice(0, 30)).state));
    for (const message of messagesOf(events).slice(30).flat()) view.take(message);
    expect(view.state).toEqual(viewOf(events).state);
  });

  test("keep the thousand files that were touched last", () => {
    const edit = (n: number): NewEvent => ({ ...finished, diff: `--- a/${n}\n+++ b/${n}\n` }) as NewEvent;
    const edits = [...Array.from({ length: 1100 }, (_, n) => edit(n)), edit(500)];
    const { files_touched } = stateOf(started, ...edits.flatMap((edited) => [requested, edited]));
    expect([files_touched.length, files_touched[0], files_touched.at(-1)]).toEqual([1000, "100", "500"]);
  });
});

describe("of any log", () => {
  const anyLog = fc.oneof(arbitraryLog, fc.constantFrom(...[...recordings.values()].map(({ events }) => events)));
  const cutLog = fc.tuple(anyLog, fc.nat()).map(([events, n]) => ({ events, cut: n % (events.length + 1) }));

  test("a view that began with the state at any point says the same as one that heard everything", () => {
    fc.assert(
      fc.property(cutLog, ({ events, cut }) => {
        const messages = messagesOf(events);
        const view = new SessionView(copy(viewOf(events.slice(0, cut)).state));
        for (const message of messages.slice(cut).flat()) view.take(message);
        view.reached(events.length);
        expect(copy(view.state)).toEqual(copy(viewOf(events).state));
      }),
    );
  });

  test("a message that comes twice, or long after others, changes nothing", () => {
    fc.assert(
      fc.property(cutLog, ({ events, cut }) => {
        const messages = messagesOf(events);
        const view = new SessionView();
        messages.forEach((ofEvent, index) => {
          for (const message of ofEvent.flatMap((m) => [m, m])) view.take(message);
          if (index === cut) for (const message of messages.slice(0, cut + 1).flat()) view.take(message);
        });
        view.reached(events.length);
        expect(copy(view.state)).toEqual(copy(viewOf(events).state));
      }),
    );
  });

  test("the state is always one that the protocol can tell", () => {
    fc.assert(
      fc.property(arbitraryLog, (events) => {
        const view = new SessionView();
        messagesOf(events).forEach((messages, index) => {
          for (const message of messages) view.take(message);
          view.reached(index + 1);
          expect(sessionState.safeParse(copy(view.state)).error?.issues ?? []).toEqual([]);
        });
      }),
    );
  });

  test("it agrees at every event with what core says of the session", () => {
    fc.assert(
      fc.property(anyLog, (events) => {
        const view = new SessionView();
        let summary = emptySummary(sessionId);
        const unasked = new Set<string>();
        messagesOf(events).forEach((messages, index) => {
          const event = events[index] as Event;
          for (const message of messages) view.take(message);
          view.reached(event.seq);
          summary = summarize(summary, event);
          if (event.type === "ask.opened" && !asksPerson(event)) unasked.add(event.askId);
          const { run, closed } = summary;
          const underWay = isUnderWay(summary) ? run : undefined;
          const { state } = view;
          expect({
            status: state.status,
            run_id: state.run_id,
            queued: state.queued_runs,
            asks: state.open_confirmations.map(({ ask_id }) => ask_id),
            about: [state.workspace, state.engine, state.model, state.title, state.last_seq],
          }).toEqual({
            status: closed ? "closed" : (underWay?.status ?? "idle"),
            run_id: underWay?.runId,
            queued: summary.queued.map((queued) => queued.runId),
            asks: summary.asks.map(({ askId }) => askId).filter((id) => !unasked.has(id)),
            about: [summary.workspace, summary.engine, summary.model, summary.title, summary.lastSeq],
          });
          if (run && !underWay) expect(state.last_run).toMatchObject({ run_id: run.runId, status: run.status });
        });
      }),
    );
  });

  test("what is shown of a run is what it said, character for character", () => {
    fc.assert(
      fc.property(arbitraryLog, (any) => {
        const events = any.map((event) => (event.type === "text.delta" ? { ...event, of: "answer" as const } : event));
        const { messages } = viewOf(events).state;
        const ended = events.filter(({ type }) => /^run\.(completed|failed|cancelled)$/.test(type));
        for (const end of ended) {
          if (!("runId" in end)) continue;
          const said = events.flatMap((e) => (e.type === "text.delta" && e.runId === end.runId ? [e.text] : []));
          const shown = messages.filter((m) => m.role === "assistant" && m.run_id === end.runId);
          const all = shown.map(({ content }) => content).join("");
          const result = end.type === "run.completed" ? end.result.text : "";
          expect([said.join(""), said.join("") + result]).toContain(all);
        }
      }),
    );
  });
});
