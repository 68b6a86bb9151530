import { expect, test } from "vitest";
import { ManualClock } from "../../../core/clock.ts";
import type { Message } from "../messages.ts";
import { Unacknowledged } from "./unacknowledged.ts";

const envelope = { timestamp: "2026-01-01T00:00:00.000Z", session_id: "s" };
const asked = (seq: number): Message => ({
  ...{ type: "tool_call_confirmation", ...envelope, seq, ack_required: true },
  data: {
    ...{
      call_id: `c${seq}`,
      name: "n",
      args: {},
      run_id: "r",
      ask_id: `a${seq}`,
      kind: "confirm",
      title: "",
      message: "",
    },
    ...{ expires_at: envelope.timestamp, allow_remember: false, allow_reason: false },
  } as never,
});

function waiting() {
  const clock = new ManualClock();
  const sent: string[] = [];
  const lost: number[] = [];
  const unacknowledged = new Unacknowledged({
    clock,
    send: (text) => sent.push(text),
    isSending: () => false,
    isHolding: () => false,
    onLost: ({ seq }) => lost.push(seq),
  });
  const ask = (message: Message) => {
    unacknowledged.note(message, String(message.seq));
    unacknowledged.sent(message);
  };
  return { clock, sent, lost, unacknowledged, ask };
}

const ends: [string, Message][] = [
  [
    "the ask was closed",
    {
      ...{ type: "status_update", ...envelope, seq: 9 },
      data: { kind: "ask", run_id: "r", ask_id: "a1", call_id: "x", status: "expired" },
    },
  ],
  [
    "the run has ended",
    { type: "status_update", ...envelope, seq: 9, data: { kind: "run", run_id: "r", status: "completed" } },
  ],
  [
    "the call was answered",
    { type: "tool_call_response", ...envelope, seq: 9, data: { call_id: "c1", result: 1, execution_time_ms: 0 } },
  ],
];

test.each(ends)("is not sent again when %s, in its own session", (_, end) => {
  const { clock, sent, unacknowledged, ask } = waiting();
  ask(asked(1));
  unacknowledged.note({ ...end, session_id: "another" }, "");
  clock.advance(5000);
  expect(sent).toEqual(["1"]);
  unacknowledged.note(end, "");
  clock.advance(60_000);
  expect(sent).toEqual(["1"]);
});

test("is waited for on while its run waits or is being cancelled", () => {
  const { clock, sent, unacknowledged, ask } = waiting();
  ask(asked(1));
  for (const status of ["queued", "cancelling"] as const) {
    unacknowledged.note({ type: "status_update", ...envelope, seq: 9, data: { kind: "run", run_id: "r", status } }, "");
  }
  clock.advance(5000);
  expect(sent).toEqual(["1"]);
});

test("the oldest of too many is forgotten, and not sent again", () => {
  const { clock, sent, lost, unacknowledged, ask } = waiting();
  for (let seq = 1; seq <= 1001; seq++) ask(asked(seq));
  for (let seq = 1; seq <= 1001; seq++) unacknowledged.acknowledge("s", seq);
  clock.advance(60_000);
  expect([sent, lost]).toEqual([[], []]);
});
