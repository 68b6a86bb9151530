import type { Event, EventOf } from "../../core/events.ts";
import type { Dialect, Fold, Frame, NumberedFrame } from "../../dialects/dialect.ts";
import { exportedEvent } from "../../dialects/exported-event.ts";
import { ui } from "../../dialects/ui/index.ts";
import type { Message } from "../../dialects/ui/messages.ts";

/** A message of `ui` and the event that it came of, which knows the time and who it was. */
export interface DrawnFrame {
  /** The dialect has nothing to say of the end of a session, but whoever watches it has. */
  message?: Message;
  /** What the connection itself says has none. */
  event?: Event;
}

type WithDrawn = Frame & { drawn?: DrawnFrame };

/** The `ui` dialect for a terminal in the same process: every message comes with its event, and results come whole. */
export const uiWithEvents: Dialect = {
  ...ui,
  name: "ui with events",
  wholeResults: true,
  fold: (sessionId, profile): Fold => {
    const { push, lost, gap } = ui.fold(sessionId, profile);
    const withDrawn = <F extends Frame>(frame: F, event?: Event): F & WithDrawn => ({
      ...frame,
      drawn: { message: frame.message as Message | undefined, event },
    });
    return {
      push: (event) => {
        const frames = event.type === "session.closed" ? [sessionClosed(event)] : push(event);
        return frames.map((frame) => withDrawn(frame, event));
      },
      lost: (frames) => withDrawn(lost(frames)),
      gap: (pruned) => withDrawn(gap(pruned)),
    };
  },
};

const sessionClosed = ({ seq }: Event): NumberedFrame => ({
  seq,
  k: 0,
  text: "",
  skippable: false,
  message: undefined,
});

/** Of a frame of either of these dialects. */
export function drawnFrame(frame: Frame): DrawnFrame {
  return (frame as WithDrawn).drawn ?? {};
}

/** The ask that a frame puts: a replay has those that are still open behind everything else. */
export function askIn(frame: Frame): EventOf<"ask.opened"> | undefined {
  const { event, message } = drawnFrame(frame);
  const isPut = frame.ask !== undefined || message === undefined; // where events are all there is, it is put as it is opened
  return event?.type === "ask.opened" && isPut ? event : undefined;
}

/** The log itself, an event a message. A feed brings it as it brings any dialect. */
export const eventLines: Dialect = {
  ...ui,
  name: "events",
  fold: (sessionId, profile): Fold => ({
    push: (event) => {
      const frame = {
        seq: event.seq,
        k: 0,
        text: JSON.stringify(exportedEvent(event)),
        skippable: false,
        message: event,
      };
      return [{ ...frame, drawn: { event } } satisfies NumberedFrame & WithDrawn];
    },
    lost: ui.fold(sessionId, profile).lost,
    gap: ({ from, to }) => {
      const message = { gap: { from, to } };
      return { text: JSON.stringify(message), skippable: false, message };
    },
  }),
};

/** What JSON leaves as it is and a terminal might obey, or show in another order. */
const unsafe = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** JSON that says the same and does nothing to a terminal. */
export function printable(json: string): string {
  return json.replace(unsafe, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
