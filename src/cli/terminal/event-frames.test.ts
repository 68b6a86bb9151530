import { expect, test } from "vitest";
import type { Event } from "../../core/events.ts";
import { eventLines } from "./event-frames.ts";

test("the log as lines has every event, and nothing of the session that an agent has of its own", () => {
  const events: Event[] = [
    { type: "session.created", workspace: "/w", engine: "copilot", seq: 1, at: 1 },
    { type: "session.updated", model: "o3", agentSession: { engine: "copilot", id: "4711" }, seq: 2, at: 2 },
  ];
  const fold = eventLines.fold("s");
  expect(events.flatMap((event) => fold.push(event)).map(({ text }) => JSON.parse(text))).toEqual([
    events[0],
    { type: "session.updated", model: "o3", seq: 2, at: 2 },
  ]);
});
