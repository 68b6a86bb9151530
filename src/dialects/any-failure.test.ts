import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../core/errors.ts";
import type { Event, NewEvent } from "../core/events.ts";
import { foldAll } from "./contract.ts";
import type { Dialect } from "./dialect.ts";
import { live } from "./live/index.ts";
import { operations } from "./operations/index.ts";
import { sidecar } from "./sidecar/index.ts";
import { studio } from "./studio/index.ts";
import { ui } from "./ui/index.ts";

// What an agent, or the model behind it, fails with: each protocol says it in its own number, in the same words, and with the status.

const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const profile = { streaming: true, asks: true, connection: "here" };

/** Longer than a message of any wire may be without being split. */
const advice = `The model answered 4xx.\n${"Look at the settings of the agent, and try again. ".repeat(300)}Then ask for less.`;

function logOf(code: ErrorCode, status: number, action?: string): Event[] {
  const by = { dialect: "studio", connection: "here", requestId: 7 };
  const events: NewEvent[] = [
    { type: "session.created", workspace: "/w", engine: "copilot" },
    { type: "run.started", runId, kind: "prompt", input: { text: "go", action }, by },
    { type: "text.delta", runId, text: "I will", of: "answer" },
    { type: "run.failed", runId, error: { code, message: advice, data: { status, provider: "stub" } } },
  ];
  return events.map((event, index) => ({ ...event, seq: index + 1, at: 1_771_424_625_000 + index }) as Event);
}

// biome-ignore lint/suspicious/noExplicitAny: what is read off the wire is compared, not used
const told = (dialect: Dialect, events: Event[]): any[] =>
  foldAll(dialect, events, profile).map(({ message }) => JSON.parse(JSON.stringify(message)));

const details = (status: number) => ({ status, provider: "stub" });

interface Row {
  status: number;
  studio: { chat: number; generate: number; customize: number };
  operations: string;
  live: { error_code: string; retriable: boolean };
}
const failed = { chat: -32603, generate: -32000, customize: -32001 };
const always = (code: number) => ({ chat: code, generate: code, customize: code });
const rows: Partial<Record<ErrorCode, Row>> = {
  engine_auth: {
    status: 401,
    studio: failed,
    operations: "ENGINE_NOT_SIGNED_IN",
    live: { error_code: "PERMISSION_DENIED", retriable: false },
  },
  rate_limited: {
    status: 429,
    studio: always(-32004),
    operations: "RATE_LIMITED",
    live: { error_code: "RESOURCE_EXHAUSTED", retriable: true },
  },
  context_too_large: {
    status: 400,
    studio: always(-32003),
    operations: "CONTEXT_TOO_LARGE",
    live: { error_code: "RESOURCE_EXHAUSTED", retriable: false },
  },
  engine_unavailable: {
    status: 503,
    studio: failed,
    operations: "ENGINE_UNAVAILABLE",
    live: { error_code: "CONNECTION_LOST", retriable: false },
  },
  engine_failed: {
    status: 500,
    studio: failed,
    operations: "ENGINE_FAILED",
    live: { error_code: "TOOL_EXECUTION_FAILED", retriable: false },
  },
};

describe.each(Object.entries(rows) as [ErrorCode, Row][])("a run that fails with %s", (code, row) => {
  const { status } = row;

  test("ends in ui with the status error, its words, the code and the status", () => {
    expect(told(ui, logOf(code, status)).at(-1).params).toMatchObject({
      status: "error",
      message: advice,
      data: { code, details: details(status) },
    });
  });

  test.each(["chat", "generate", "customize"] as const)("is the document's error of a studio's %s", (action) => {
    const answer = told(studio, logOf(code, status, action)).at(-1);
    const data = { code, details: details(status) };
    expect(answer).toEqual({ jsonrpc: "2.0", id: 7, error: { code: row.studio[action], message: advice, data } });
  });

  test("is an error of operations, in as many parts as it takes, and then complete", () => {
    const messages = told(operations, logOf(code, status));
    const errors = messages.filter(({ type }) => type === "error");
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.map(({ content }) => content).join("")).toBe(advice);
    for (const { metadata } of errors) expect(metadata).toEqual({ priority: "high", code: row.operations, status });
    expect(messages.at(-1)).toMatchObject({ type: "complete", content: "Operation failed. No changes persisted." });
  });

  test("is the document's SDK error of sidecar, and the run's last message follows", () => {
    const [error, last] = told(sidecar, logOf(code, status)).slice(-2);
    const data = { code, details: details(status) };
    expect(error).toEqual({ event: "error", data: { code: -32002, message: advice, data } });
    expect(last.data).toMatchObject({ role: "assistant", content: "", done: true });
  });

  test("is an error of live, and the run's last status follows", () => {
    const [error, last] = told(live, logOf(code, status)).slice(-2);
    expect(error.data).toEqual({
      ...row.live,
      message: advice,
      details: { code, data: details(status) },
      severity: "error",
    });
    expect(last.data).toEqual({ kind: "run", run_id: runId, status: "failed", reason: advice });
  });
});
