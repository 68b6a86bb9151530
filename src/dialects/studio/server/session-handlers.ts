import { Gate } from "../../../core/gate.ts";
import { plainText } from "../../../core/plain-text.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import type { HandlerOptions, StudioHandlers } from "./handlers.ts";
import type { Services } from "./services.ts";

type SessionHandlers = Pick<StudioHandlers, "session/list" | "session/watch" | "session/unwatch">;

/** To see and to follow the sessions that there are. */
export function sessionHandlers({ sessions, visible, services, room }: HandlerOptions): SessionHandlers {
  const lists = new Gate(1);
  const listed = (summary: SessionSummary) => listedSession(summary, services);
  return {
    // One after the other: all of them would find room before the first has taken any.
    "session/list": ({ limit }) =>
      lists.pass(async () => {
        await room();
        return { sessions: limit === 0 ? [] : (await visible.list(limit)).map(listed) };
      }),
    "session/watch": ({ sessionId, after }, call) =>
      sessions.inTurn(async () => {
        const { summary } = await sessions.watch(sessionId, after);
        // What happens comes after the answer; an `initialize` behind this call may have changed by then how it is followed.
        call.afterwards(() => void sessions.inTurn(async () => sessions.followIfThere(sessionId)));
        return listed(summary);
      }),
    "session/unwatch": ({ sessionId }) => sessions.inTurn(async () => ({ ok: sessions.unwatch(sessionId) })),
  };
}

export function listedSession(summary: SessionSummary, { addresses }: Pick<Services, "addresses">) {
  const { sessionId, title, workspace, engine, model, createdAt, updatedAt, lastSeq, closed, lastPrompt } = summary;
  return {
    ...{ sessionId, title, workspace, engine, model, createdAt, updatedAt, lastSeq, closed, lastPrompt },
    run: summary.run && { runId: summary.run.runId, status: summary.run.status },
    queued: summary.queued.map(({ runId }) => runId),
    asks: summary.asks.map(({ askId, runId, kind, title: asked }) => ({ askId, runId, kind, title: plainText(asked) })),
    addresses: addresses?.(summary),
  };
}
