import type { Desk } from "./desk.ts";
import type { UiHandlers } from "./handlers.ts";
import { statusOfRun } from "./history.ts";

type WatchHandlers = Pick<UiHandlers, "session.watch" | "session.unwatch">;

/** To follow sessions, whoever works in them. */
export function watchHandlers(desk: Desk, send: (json: string) => void): WatchHandlers {
  return {
    "session.watch": ({ session_id, after }, call) =>
      desk.inTurn(async () => {
        const { attachment, summary } = await desk.watch(session_id, after);
        const release = attachment.hold(); // what there is to tell comes after the answer
        let status: string | undefined;
        call.afterwards(() => {
          if (status !== undefined) send(status);
          attachment.follow();
          release();
        });
        // Who names an event was told how the run was doing then; who does not is told how it is doing now.
        if (after === undefined && !attachment.follows) {
          const { store } = (await desk.node()).runtime;
          const { profile, seen: until } = attachment;
          status = await statusOfRun({ store, sessionId: session_id, profile, until });
        }
        const { lastSeq: last_seq, engine, model } = summary;
        return { session_id, last_seq, engine, model };
      }),
    "session.unwatch": ({ session_id }) => desk.inTurn(async () => ({ ok: desk.unwatch(session_id) })),
  };
}
