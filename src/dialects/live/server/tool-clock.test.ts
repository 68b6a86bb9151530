import { expect, test } from "vitest";
import { ManualClock } from "../../../core/clock.ts";
import { isoTime } from "../../iso-time.ts";
import type { Message } from "../messages.ts";
import { ToolClock } from "./tool-clock.ts";

function ticking() {
  const clock = new ManualClock();
  const said: [string, string, number | undefined][] = [];
  const toolClock = new ToolClock({
    clock,
    say: ({ call_id, elapsed_ms }, correlationId) => said.push([call_id, correlationId, elapsed_ms]),
  });
  const timestamp = isoTime(clock.now());
  const call = { call_id: "c", name: "n", args: {}, run_id: "r", is_client_initiated: true };
  const request: Message = {
    ...{ type: "tool_call_request", timestamp, session_id: "s", correlation_id: "mine", seq: 5, data: call },
  };
  return { clock, said, toolClock, timestamp, call, request };
}

test("a call that may have ended among what is gone is not told of any more", () => {
  const { clock, said, toolClock, timestamp, request } = ticking();
  toolClock.note(request);
  clock.advance(5000);
  expect(said).toEqual([["c", "mine", 5000]]);
  const data = { kind: "gap" as const, from_seq: 6, to_seq: 9 };
  toolClock.note({ type: "status_update", timestamp, session_id: "s", data });
  clock.advance(60_000);
  expect(said.length).toBe(1);
});

test("a call that was open when the client came has the ids that it had, and one that a person is asked about is not told of", () => {
  const { clock, said, toolClock, timestamp: started_at, call } = ticking();
  const calls = [
    { ...call, started_at, correlation_id: "mine" },
    { ...call, call_id: "d", started_at },
    { ...call, call_id: "asked", started_at },
  ];
  toolClock.begin(calls, [{ ask_id: "a", call_id: "asked" } as never]);
  clock.advance(5000);
  expect(said).toEqual([
    ["c", "mine", 5000],
    ["d", "d", 5000],
  ]);
});

test("a call that is told again, to the client that is to run it, goes on", () => {
  const { clock, said, toolClock, request } = ticking();
  toolClock.note(request);
  clock.advance(4000);
  toolClock.note({ ...request, timestamp: isoTime(clock.now()) } as Message);
  clock.advance(1000);
  expect(said).toEqual([["c", "mine", 5000]]);
});
