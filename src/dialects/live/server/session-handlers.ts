import { DragomanError } from "../../../core/errors.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import { listedEngines } from "../../engine-choice.ts";
import { type Desk, type Handlers, type MessageOf, namedSession, originOf } from "./desk.ts";
import { demandTo } from "./permitted.ts";
import { clientTools } from "./sessions.ts";

type Handled = "session_start" | "session_end" | "session_state" | "session_update" | "session_list";
type SessionHandlers = Pick<Handlers, Handled | "engine_list" | "model_list">;

/** What begins, ends and tells of sessions. */
export function sessionHandlers(desk: Desk): SessionHandlers {
  const { sessions, followed, speaker, link, caller } = desk;
  return {
    session_start: (message) => (message.session_id === undefined ? begin(desk, message) : attach(desk, message)),
    session_end: async (message) => {
      const { detach, reason } = message.data;
      const sessionId = namedSession(desk, message);
      if (detach) return followed.leave(sessionId);
      demandTo("prompt", "end a session", caller);
      await (await sessions.open(sessionId)).session.close(reason);
    },
    session_state: async (message) => {
      const sessionId = namedSession(desk, message);
      const summary = await sessions.summary(sessionId);
      await followed.tellState(summary, { sessionId, correlationId: message.correlation_id });
    },
    session_update: (message) => sessions.change(namedSession(desk, message), message.data),
    engine_list: async ({ correlation_id: correlationId }) => {
      speaker.checkRoomToAnswer();
      const engines = listedEngines(await sessions.node());
      speaker.answer("engine_list", JSON.stringify({ engines }), { correlationId });
    },
    model_list: async ({ data, session_id: sessionId, correlation_id: correlationId }) => {
      speaker.checkRoomToAnswer();
      const models = await sessions.models(data.engine, sessionId);
      speaker.answer("model_list", JSON.stringify(models), { sessionId, correlationId });
    },
    session_list: async ({ data, correlation_id: correlationId }) => {
      speaker.checkRoomToAnswer();
      await link.room(); // nothing long is made for who does not read
      speaker.answer("session_list", JSON.stringify(await sessions.list(data.limit)), { correlationId });
    },
  };
}

async function begin(desk: Desk, message: MessageOf<"session_start">): Promise<void> {
  demandTo("prompt", "begin a session", desk.caller);
  await newSession(desk, message.data, message);
}

/** Makes a session and follows it. Who gives tools to run answers for us. */
export async function newSession(
  desk: Desk,
  about: MessageOf<"session_start">["data"],
  message: { correlation_id?: string },
): Promise<SessionHandle> {
  const { sessions, followed, caller } = desk;
  if (about.tools) demandTo("approve", "run tools for a session", caller);
  followed.checkRoom();
  const session = await sessions.create(about, originOf(desk, message));
  await followed.begin(session, (about.tools?.length ?? 0) > 0);
  return session;
}

async function attach(desk: Desk, message: MessageOf<"session_start">): Promise<void> {
  const { sessions, followed, speaker, caller } = desk;
  const { data, correlation_id: correlationId } = message;
  const sessionId = namedSession(desk, message);
  const tools = clientTools(data);
  if (tools) demandTo("approve", "run tools for a session", caller);
  followed.checkRoom(sessionId);
  speaker.checkRoomToAnswer();
  const { session, summary } = await sessions.open(sessionId);
  checkCursor(data.after, summary.lastSeq);
  if (tools) await session.update({ clientTools: tools });
  const after = data.after === undefined ? undefined : { seq: data.after, k: data.after_k };
  const runsTools = tools && tools.tools.length > 0;
  const now = tools ? await sessions.summary(sessionId) : summary;
  await followed.follow(session, now, { after, runsTools, correlationId });
}

function checkCursor(after: number | undefined, lastSeq: number): void {
  if (after === undefined || after <= lastSeq) return;
  const message = `The session ends at seq ${lastSeq}, and after is ${after}. Give the seq of a message of this session.`;
  throw new DragomanError("invalid_params", message, { last_seq: lastSeq });
}
