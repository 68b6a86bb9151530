import { DragomanError } from "../../../core/errors.ts";
import type { EventOf, RunInput, RunKind } from "../../../core/events.ts";
import { askedFor, findLast } from "../../../core/landmarks.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Store } from "../../../core/store.ts";
import { isUnderWay, type SessionSummary } from "../../../core/summary.ts";
import { toolRunInput } from "../../../core/tool-run.ts";
import { checkModel } from "../../models.ts";
import { sentMessages } from "../../sent-messages.ts";
import { answerInWords } from "./answer-handlers.ts";
import { commandIn, commandInput } from "./command-input.ts";
import { type Desk, type Handlers, type MessageOf, namedSession, originOf } from "./desk.ts";
import { demandTo, rulesOf } from "./permitted.ts";
import { responseOf } from "./response-of.ts";
import { newSession } from "./session-handlers.ts";

type RunHandlers = Pick<Handlers, "user_input" | "tool_call_request" | "interrupt">;

/** What starts a run, and what ends one. */
export function runHandlers(desk: Desk): RunHandlers {
  return {
    user_input: async (message) => {
      if (await answerInWords(desk, message)) return;
      demandTo("prompt", "prompt", desk.caller);
      const { content: text, model, run_id } = message.data;
      if (model !== undefined) await checkModelFor(desk, message, model);
      const session = await sessionFor(desk, message);
      const by = originOf(desk, message);
      const prompt = { kind: "prompt" as const, input: { text }, by, model, ...rulesOf(desk.caller) };
      const { runtime } = await desk.sessions.node();
      await sentMessages(runtime.store).once(session, run_id, { ...prompt, whenBusy: "queue" });
    },
    tool_call_request: (message) => callTool(desk, message),
    interrupt: async (message) => {
      const { run_id, reason = "interrupted by the user" } = message.data;
      const { session, summary } = await desk.sessions.open(namedSession(desk, message));
      const runId = run_id ?? runUnderWay(summary);
      const { accepted, status } = await session.cancel(runId, reason, originOf(desk, message));
      if (accepted || status === "cancelled") return;
      throw new DragomanError("run_not_found", `The run ${runId} has ended already: it is ${status}.`, { status });
    },
  };
}

/** The session that a run is to be in: followed, so that whoever prompts can be asked. */
async function sessionFor(
  desk: Desk,
  message: { session_id?: string; correlation_id?: string },
): Promise<SessionHandle> {
  const { followed, sessions } = desk;
  const sessionId = message.session_id ?? followed.current;
  if (sessionId === undefined) return newSession(desk, {}, message);
  const known = followed.get(sessionId);
  if (known) {
    followed.makeCurrent(sessionId);
    return known;
  }
  const { session, summary } = await sessions.open(sessionId);
  await followed.follow(session, summary, {});
  return session;
}

/** Before anything is begun or followed for a prompt that cannot be. */
async function checkModelFor({ sessions, followed }: Desk, message: { session_id?: string }, model: string) {
  const { runtime, engine: usual } = await sessions.node();
  const sessionId = message.session_id ?? followed.current;
  const engine = sessionId === undefined ? usual : (await sessions.summary(sessionId)).engine;
  await checkModel(runtime, engine, model);
}

async function callTool(desk: Desk, message: MessageOf<"tool_call_request">): Promise<void> {
  const { call_id, name, args, run_id } = message.data;
  const { runtime } = await desk.sessions.node();
  const session = await sessionFor(desk, message);
  const { store } = runtime;
  const before = run_id === undefined ? undefined : await askedFor(store, session.id, run_id);
  if (before) checkSameCall(before, message);
  else await checkNewCall(store, session.id, call_id);
  const by = { ...originOf(desk, message), call: { id: call_id, name } };
  const command = commandIn(
    name,
    runtime.engines.map((engine) => engine.name),
  );
  const run: { kind: RunKind; input: RunInput } =
    command === undefined
      ? { kind: "tool", input: toolRunInput(name, args) }
      : { kind: "prompt", input: commandInput(command, args) };
  const request = { ...run, by, ...rulesOf(desk.caller), whenBusy: "queue" as const };
  const runId = await sentMessages(store).once(session, run_id, request);
  if (before) await answerAgain(desk, session.id, runId, message);
}

/** What was sent again is the same call: another one would never be answered. */
function checkSameCall({ runId, by }: EventOf<"run.started" | "run.queued">, message: MessageOf<"tool_call_request">) {
  const { call_id, name } = message.data;
  if (by.dialect === "live" && by.call?.id === call_id && by.call.name === name) return;
  const text = `The run ${runId} is not that of the call ${JSON.stringify(call_id)}. Choose a new run_id for each call.`;
  throw new DragomanError("conflict", text, { call_id });
}

/** Who sends a call again may have missed its response. While the run is under way, it comes as ever. */
async function answerAgain(desk: Desk, sessionId: string, runId: string, message: MessageOf<"tool_call_request">) {
  const { store } = (await desk.sessions.node()).runtime;
  const response = await responseOf(store, sessionId, runId, message.data.call_id);
  if (!response) return;
  desk.speaker.checkRoomToAnswer();
  const about = { sessionId, correlationId: message.correlation_id };
  desk.speaker.answer("tool_call_response", JSON.stringify(response), about);
}

/**
 * Two calls of one id could not be told apart in what is said of them, nor a yes to the one from a yes to the other: not even when the
 * first is long over, since an answer may come late.
 */
async function checkNewCall(store: Store, sessionId: string, callId: string): Promise<void> {
  const isSame = ({ by }: EventOf<"run.started" | "run.queued">) => by.call?.id === callId;
  const found =
    (await findLast(store, sessionId, "run.started", isSame)) ??
    (await findLast(store, sessionId, "run.queued", isSame)) ??
    (await findLast(store, sessionId, "tool.requested", (event) => event.callId === callId)) ??
    (await findLast(store, sessionId, "ask.opened", ({ askId }) => askId === callId));
  if (!found) return;
  const text = `There is a call or a question ${JSON.stringify(callId)} in this session. Give each call its own call_id.`;
  throw new DragomanError("conflict", text, { call_id: callId });
}

/** What an interrupt means that names no run; one that waits is next. */
function runUnderWay(summary: SessionSummary): string {
  const runId = (isUnderWay(summary) ? summary.run : summary.queued[0])?.runId;
  if (runId !== undefined) return runId;
  throw new DragomanError("run_not_found", "Nothing is under way in this session that could be interrupted.");
}
