import { DragomanError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import { randomId } from "../../../core/ids.ts";
import type { Caller } from "../../../core/roles.ts";
import type { RunRequest } from "../../../core/session.ts";
import { ANSWERED_LATER, type AnsweredLater, type RpcCall, type RpcHandlers } from "../../json-rpc.ts";
import type { calls } from "../calls.ts";
import type { ConnectionSessions, Where } from "./connection-sessions.ts";
import { engineHandlers } from "./engine-handlers.ts";
import type { FollowedSessions } from "./followed-sessions.ts";
import type { OpenRequests } from "./open-requests.ts";
import { answersOf, mayApprove, rulesOf } from "./permitted.ts";
import { chat, customization, generation } from "./run-input.ts";
import type { Services } from "./services.ts";
import { sessionHandlers } from "./session-handlers.ts";
import { versionHandlers } from "./version-handlers.ts";
import type { VisibleSessions } from "./visible-sessions.ts";

export type StudioHandlers = RpcHandlers<typeof calls, AnsweredLater>;

/** What a connection has been told so far. */
export interface Told {
  /** As the host's program calls itself. */
  client: string;
  /** Who it is known to be, whatever it says. */
  caller?: Caller;
}

export interface HandlerOptions {
  services: Services;
  sessions: ConnectionSessions;
  followed: FollowedSessions;
  visible: VisibleSessions;
  requests: OpenRequests;
  told: Told;
  /** Resolves when there is room to send more. */
  room(): Promise<void>;
  /** Aborted when the host is gone: nothing long is made for nobody. */
  gone: AbortSignal;
  onExit(): void;
}

/** One function for each method of the document, and of ours. */
export function studioHandlers(options: HandlerOptions): StudioHandlers {
  const { services, sessions, followed, told } = options;
  return {
    initialize: ({ clientName, capabilities: { streaming = true, asks = false } = {} }, call) => {
      told.client = clientName;
      const manner = { streaming, asks, answers: answersOf(asks, told.caller) };
      const become = () => void sessions.inTurn(() => followed.become(manner)).catch(() => {});
      const { name: serverName, version: serverVersion } = services.server;
      const able = { codeGeneration: true, customization: true, streaming: true, asks: mayApprove(told.caller) };
      const about = { serverName, serverVersion, capabilities: able };
      if (sessions.given) {
        become();
        return sessions.given.then(async (id) => ({ ...about, ...(await worked(options, id)) }));
      }
      // It will be wanted next, and whoever wants it is told what is wrong; but not before the answer has left.
      call.afterwards(() => {
        become();
        setImmediate(() => void sessions.node().catch(() => {}));
      });
      const own = sessions.idOf({});
      return own === undefined ? about : worked(options, own).then((session) => ({ ...about, ...session }));
    },
    generate: (params, call) => begun(options, params.context, generation(params), call),
    customize: (params, call) => begun(options, params.context, customization(params), call),
    chat: (params, call) => begun(options, params.context, chat(params), call),
    exit: (_, call) => {
      call.afterwards(() => options.onExit());
      return {};
    },
    cancel: async (params, call) => {
      const { runId, session } = await meant(options, params);
      const by = originOf(told, undefined, call.id);
      const { accepted, status } = await session.cancel(runId, params.reason ?? "cancelled by the host", by);
      return { ok: accepted || status === "cancelled", status };
    },
    "ask/answer": async ({ askId, answer, sessionId }) => {
      await answered(options, askId, answer, sessionId);
      return { ok: true };
    },
    ...sessionHandlers(options),
    ...engineHandlers(options),
    ...versionHandlers(options),
  };
}

function speakerOf({ client, caller }: Told): Origin {
  return { dialect: "studio", client, ...(caller && { user: caller.name }) };
}

function originOf(told: Told, connection: string | undefined, requestId: RpcCall["id"]): Origin {
  return { ...speakerOf(told), connection, requestId };
}

/** Starts a run, or puts it in the queue. Its end is the answer, which comes by the fold. */
export function begun(
  { sessions, requests, told }: HandlerOptions,
  where: Where = {},
  asked: Pick<RunRequest, "kind" | "input">,
  { id }: RpcCall,
): Promise<AnsweredLater> {
  return sessions.inTurn<AnsweredLater>(async () => {
    const followed = await sessions.take(where, speakerOf(told));
    const { session, stamp } = followed;
    const runId = randomId();
    // Both before it is asked for: it may end before that is answered.
    followed.follow();
    if (id !== undefined) requests.add(id, { runId, sessionId: session.id, stamp });
    try {
      const by = originOf(told, stamp, id);
      const { model } = where;
      await session.prompt({ ...asked, ...rulesOf(told.caller), model, runId, by, whenBusy: "queue" });
    } catch (error) {
      if (id !== undefined) requests.remove(id);
      sessions.giveBack(followed);
      throw error;
    }
    followed.hadRequests = true;
    return ANSWERED_LATER;
  });
}

/** A session, and what does its work as far as the log can be read: a handshake needs none. */
async function worked({ sessions }: HandlerOptions, sessionId: string) {
  const look = async () => (await sessions.node()).runtime.store.session(sessionId);
  const { engine, model } = (await look().catch(() => undefined)) ?? {};
  return { sessionId, engine, model };
}

type Cancelled = { requestId: string | number } | { runId: string; sessionId?: string };

/** The run that is to be cancelled. A request that came just before may not have one yet. */
async function meant({ sessions, requests }: HandlerOptions, which: Cancelled) {
  if ("runId" in which) {
    const { runId, sessionId } = which;
    return { runId, session: await (sessionId === undefined ? sessions.withRun(runId) : sessions.open(sessionId)) };
  }
  const { requestId } = which;
  if (!requests.get(requestId)) await sessions.inTurn(async () => {});
  const request = requests.get(requestId) ?? requests.answered(requestId);
  if (request) return { runId: request.runId, session: await sessions.open(request.sessionId) };
  const named = JSON.stringify(requestId).slice(0, 100);
  const message = `No request ${named} that starts a run was made on this connection. run/started names the runs.`;
  throw new DragomanError("run_not_found", message);
}

/** In the session that is named, or in one of those that are followed. */
async function answered(
  { sessions, followed, told }: HandlerOptions,
  askId: string,
  answer: unknown,
  sessionId?: string,
) {
  const by = speakerOf(told);
  if (sessionId !== undefined) return (await sessions.open(sessionId)).answer(askId, answer, by);
  for (const session of followed.handles()) {
    try {
      return await session.answer(askId, answer, by);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "ask_not_found") throw error;
    }
  }
  const message = `There is no ask ${askId} in the sessions that are followed here. Name its sessionId.`;
  throw new DragomanError("ask_not_found", message);
}
