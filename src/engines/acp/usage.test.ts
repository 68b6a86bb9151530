import { expect, test } from "vitest";
import { tookNothing, Usage } from "./usage.ts";

const end = { stopReason: "end_turn" };

test("Copilot counts on over a session: a run has what came on top", () => {
  const usage = new Usage("Copilot", false);
  usage.beginRun();
  usage.update(8676, 128_000);
  usage.endTurn({ ...end, usage: { totalTokens: 2580, inputTokens: 2468, outputTokens: 112, cachedReadTokens: 2000 } });
  expect(usage.event()).toEqual({
    type: "usage.updated",
    contextUsed: 8676,
    contextSize: 128_000,
    input: 2468,
    output: 112,
  });
  usage.beginRun();
  usage.endTurn({ ...end, usage: { totalTokens: 3870, inputTokens: 3702, outputTokens: 168, cachedReadTokens: 3000 } });
  expect(usage.event()).toMatchObject({ input: 1234, output: 56 });
});

test("the others count a turn, of which a run may have several; what came from a cache is input however they count it", () => {
  const usage = new Usage("@agentclientprotocol/codex-acp", false);
  usage.beginRun();
  const turn = { totalTokens: 2580, inputTokens: 468, outputTokens: 112, cachedReadTokens: 2000, thoughtTokens: 0 };
  usage.endTurn({ ...end, usage: turn });
  usage.endTurn({ ...end, usage: turn });
  expect(usage.event()).toMatchObject({ input: 2 * 2468, output: 2 * 112 });
});

test("Gemini tells it in a place of its own", () => {
  const usage = new Usage("gemini-cli", false);
  usage.beginRun();
  const counted = { ...end, _meta: { quota: { token_count: { input_tokens: 2468, output_tokens: 112 } } } };
  expect(usage.endTurn(counted)).toBe(true);
  expect(usage.event()).toMatchObject({ input: 2468, output: 112 });
  expect(usage.endTurn(end)).toBe(false);
});

test("what a session has cost is counted on, by the agent that was started last", () => {
  const usage = new Usage("Claude", false);
  usage.beginRun();
  expect(usage.event()).not.toHaveProperty("cost");
  usage.update(1, 2, 0.5);
  expect(usage.event()).toMatchObject({ cost: 0.5 });
  usage.beginRun();
  usage.update(1, 2, 0.75);
  expect(usage.event()).toMatchObject({ cost: 0.25 });
  usage.beginRun();
  usage.update(1, 2, 0.125);
  expect(usage.event()).toMatchObject({ cost: 0.125 });
});

test("of a session that is gone on with it is not known what it cost before", () => {
  const usage = new Usage("Claude", true);
  usage.beginRun();
  usage.update(1, 2, 0.5);
  expect(usage.event()).not.toHaveProperty("cost");
  usage.beginRun();
  usage.update(1, 2, 0.75);
  expect(usage.event()).toMatchObject({ cost: 0.25 });
});

test.each([
  [{ ...end, usage: null }, true],
  [{ ...end, usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } }, true],
  [{ ...end, _meta: { quota: { token_count: { input_tokens: 0, output_tokens: 0 } } } }, true],
  [{ ...end, usage: { inputTokens: 1, outputTokens: 0 } }, false],
  [end, false],
])("an agent that says %j took nothing: %s", (prompted, nothing) => {
  expect(tookNothing(prompted)).toBe(nothing);
});
