import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { randomId } from "../../core/ids.ts";
import { AcpIo, answerIn } from "../../testing/acp-io.ts";
import { Narration } from "./narration.ts";
import { Usage } from "./usage.ts";
import type { Update } from "./wire.ts";

const say = (text: string, messageId?: string): Update => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  messageId,
});
const call = (toolCallId: string): Update => ({
  sessionUpdate: "tool_call",
  toolCallId,
  rawInput: { command: "make" },
});
const progress = (toolCallId: string): Update => ({ ...call(toolCallId), sessionUpdate: "tool_call_update" });

/** What is told of the answer, and what it is in the end. */
async function told(turns: Update[][], textsAreErrors = false) {
  const io = new AcpIo();
  const turn = { runId: randomId(), workspace: "/w" };
  const usage = new Usage("agent", false);
  const narration = new Narration({ io, turn, clock: new ManualClock(), usage, source: "agent", textsAreErrors });
  for (const updates of turns) {
    for (const update of updates) await narration.tell(update);
    await narration.endTurn();
  }
  return { told: answerIn(io.said), answer: narration.answer };
}

test.each([
  ["a call", [[say("One."), call("1"), say("Two.")]], "One.\n\nTwo."],
  ["another message", [[say("One.", "a"), say("Two.", "b")]], "One.\n\nTwo."],
  ["another turn", [[say("One.")], [say("Two.")]], "One.\n\nTwo."],
  [
    "a break that is there already",
    [[say("One.\n"), call("1"), say("Two.\n\n"), call("2"), say("3")]],
    "One.\n\nTwo.\n\n3",
  ],
  ["nothing but space", [[say("One."), call("1"), say("\n"), call("2"), say("Two.")]], "One.\n\nTwo."],
])("the parts of an answer are an empty line apart: %s", async (_, turns, answer) => {
  expect(await told(turns)).toEqual({ told: answer, answer });
});

test("a call that goes on while the model speaks does not break its words", async () => {
  const answer = "Working.";
  expect(await told([[call("1"), say("Work"), progress("1"), say("ing.")]])).toEqual({ told: answer, answer });
});

test("whatever an agent says, in whichever pieces, the pieces joined are the answer", async () => {
  const texts = fc.constantFrom("a", " b", "c\n", "\n\n", " ", "Info: d", "Error: e", "\u{1f600}");
  const ids = fc.constantFrom("1", "2", "3");
  const update = fc.oneof(
    fc.tuple(texts, fc.option(ids, { nil: undefined })).map(([text, id]) => say(text, id)),
    ids.map(call),
    ids.map(progress),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(update)), fc.boolean(), async (turns, textsAreErrors) => {
      const { told: pieces, answer } = await told(turns, textsAreErrors);
      expect(pieces.trim()).toBe(answer);
    }),
  );
});
