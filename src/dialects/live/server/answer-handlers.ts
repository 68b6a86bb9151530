import { DragomanError } from "../../../core/errors.ts";
import type { EventOf } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import {
  askMeant,
  type Decision,
  decisionAnswer,
  type Meant,
  noSuchAsk,
  severalSuchAsks,
  toolAnswer,
  wordsAnswer,
} from "./answering.ts";
import { type Desk, type Handlers, type MessageOf, originOf } from "./desk.ts";
import { demandTo } from "./permitted.ts";

type AnswerHandlers = Pick<Handlers, "tool_approval" | "tool_call_response">;
type Asking = { session: SessionHandle; summary: SessionSummary; ask: EventOf<"ask.opened"> };
type Naming = { session_id?: string; correlation_id?: string };

/** What answers an ask. */
export function answerHandlers(desk: Desk): AnswerHandlers {
  return {
    tool_approval: (message) => decide(desk, message, message.data.call_id, message.data),
    tool_call_response: async (message) => {
      const { data } = message;
      const { session, ask } = await wanted(desk, message, data.call_id);
      if (ask.kind !== "tool") {
        const text = `The call ${JSON.stringify(data.call_id)} is not for a client to run. Answer its question with tool_approval.`;
        throw new DragomanError("invalid_params", text);
      }
      await session.answer(ask.askId, toolAnswer(data), originOf(desk, message));
    },
  };
}

/** Whether an input was the answer to a question, which it is where it names one; everything else is a prompt. */
export async function answerInWords(desk: Desk, message: MessageOf<"user_input">): Promise<boolean> {
  const { call_id, content, input_type, ids, remember, reason } = message.data;
  if (call_id === undefined) return false;
  demandTo("approve", "answer a question", desk.caller);
  if (input_type === "operation_confirmation") {
    await decide(desk, message, call_id, { approved: content === "approve", remember, reason });
    return true;
  }
  const { session, ask } = await wanted(desk, message, call_id);
  await session.answer(ask.askId, wordsAnswer(ask, content, ids), originOf(desk, message));
  return true;
}

async function decide(desk: Desk, message: Naming, callId: string, decision: Decision): Promise<void> {
  const { session, ask } = await wanted(desk, message, callId);
  await session.answer(ask.askId, decisionAnswer(ask, decision), originOf(desk, message));
}

async function wanted(desk: Desk, message: Naming, callId: string): Promise<Asking> {
  const found = await asking(desk, message, callId);
  if (!found) throw noSuchAsk(callId);
  checkNotOfPlugin(found);
  return found;
}

/** In the session that is named, or in any that is followed: there an ask's own id goes before a client's, and neither is guessed. */
async function asking(desk: Desk, { session_id }: Naming, callId: string): Promise<Asking | undefined> {
  const { sessions, followed } = desk;
  const { store } = (await sessions.node()).runtime;
  const found: (Asking & Pick<Meant, "by">)[] = [];
  for (const sessionId of session_id === undefined ? followed.ids : [session_id]) {
    const opened = await sessions.open(sessionId).catch((error) => {
      if (session_id === undefined && error.code === "session_not_found") return; // it was removed, and not asked for
      throw error;
    });
    const meant = opened && (await askMeant(store, opened.summary, callId));
    if (meant) found.push({ ...opened, ...meant });
  }
  const own = found.filter(({ by }) => by === "its own id");
  const [asked, ...others] = own.length > 0 ? own : found;
  if (others.length > 0) throw severalSuchAsks(callId);
  return asked;
}

/** A plugin's reply is signed, and nobody else's. */
function checkNotOfPlugin({ ask, summary }: Asking): void {
  if (ask.kind !== "tool" || !summary.clientTools?.callback) return;
  const message = "Only the plugin that executes the tool answers this, by its reply to the callback.";
  throw new DragomanError("forbidden", message);
}
