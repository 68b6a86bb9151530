import { expect, test } from "vitest";
import { checkedEvent } from "./checked-event.ts";
import type { Emitted } from "./engine.ts";

const runId = "6f9619ff-8b86-4d01-b42d-00c04fc964ff";
const checked = (said: object) => checkedEvent(said as Emitted, runId);

test.each<[said: object, event: object]>([
  [
    { type: "thinking.delta", text: "hm" },
    { type: "thinking.delta", runId, text: "hm" },
  ],
  [
    { text: "hi", of: "code", type: "text.delta" },
    { type: "text.delta", runId, text: "hi", of: "code" },
  ],
  [
    { type: "thinking.delta", text: "hm", mood: "bad" },
    { type: "thinking.delta", runId, text: "hm" },
  ],
  [
    { type: "text.delta", text: "hi", of: "answer", x: 1 },
    { type: "text.delta", runId, text: "hi", of: "answer" },
  ],
  [
    { type: "thinking.delta", text: "hm", runId: "another" },
    { type: "thinking.delta", runId, text: "hm" },
  ],
  [
    { type: "note", level: "info", text: "x", source: "s", runId: "another" },
    { type: "note", runId, level: "info", text: "x", source: "s" },
  ],
])("what an engine says becomes an event of its run, and nothing else: %j", (said, event) => {
  expect(checked(said)).toStrictEqual(event);
  expect(Object.keys(checked(said)).slice(0, 2)).toEqual(["type", "runId"]);
});

test.each<[said: object, message: string]>([
  [{ type: "thinking.delta", text: 7 }, "The engine said a thinking.delta that is none"],
  [{ type: "thinking.delta", other: "x" }, "The engine said a thinking.delta that is none"],
  [{ type: "text.delta", text: 7, of: "code" }, "The engine said a text.delta that is none"],
  [{ type: "text.delta", text: "x", of: "poem" }, "The engine said a text.delta that is none"],
  [{ type: "text.delta", text: "x" }, "The engine said a text.delta that is none"],
  [{ type: "note", level: "loud", text: "x", source: "s" }, "The engine said a note that is none"],
  [{ type: "run.completed", result: { text: "x" } }, "An engine cannot say run.completed."],
  [{ type: "ask.opened" }, "An engine cannot say ask.opened."],
  [{ type: "toString" }, "An engine cannot say toString."],
  [{ type: "__proto__" }, "An engine cannot say __proto__."],
  [{}, "An engine cannot say undefined."],
])("what is no event, or not an engine's to say, is refused: %j", (said, message) => {
  expect(() => checked(said)).toThrow(
    expect.objectContaining({ code: "engine_failed", message: expect.stringContaining(message) }),
  );
});
