import { DragomanError } from "../../../core/errors.ts";
import type { EventOf } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import { askMeant, type Decision, decisionAnswer, noSuchAsk, toolAnswer, wordsAnswer } from "./answering.ts";
import { type Desk, type Handlers, type MessageOf, originOf } from "./desk.ts";
import { demandTo } from "./permitted.ts";

type AnswerHandlers = Pick<Handlers, "tool_approval" | "tool_call_response">;
type Asking = { session: SessionHandle; ask: EventOf<"ask.opened"> };
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
  return found;
}

/** In the session that is named, or in any that is followed. */
async function asking(desk: Desk, { session_id }: Naming, callId: string): Promise<Asking | undefined> {
  const { sessions, followed } = desk;
  const { store } = (await sessions.node()).runtime;
  for (const sessionId of session_id === undefined ? followed.ids : [session_id]) {
    const { session, summary } = await sessions.open(sessionId);
    const ask = await askMeant(store, summary, callId);
    if (ask) return { session, ask };
  }
  return undefined;
}
