import { pipeline, Readable } from "node:stream";
import { expect, test } from "vitest";
import { answeringServers } from "../../testing/answering-server.ts";
import { until } from "../../testing/scripted.ts";
import { modelEngine } from "./index.ts";
import { modelSession } from "./model-world.test.data.ts";

const newServer = answeringServers();
const MEGABYTE = 1024 * 1024;
const letters = "x".repeat(MEGABYTE / 4);
const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;

/** A run with a model whose server says the same again and again, for as long as it is listened to. */
async function endless(text: string) {
  let closed = false;
  const { url } = await newServer((_, response) => {
    pipeline(Readable.from(again(text)), response, () => {
      closed = true;
    });
  });
  const { run } = await modelSession(modelEngine({ baseUrl: url, apiKeyVariable: "MY_KEY", model: "m" }));
  const told = await run("go");
  await until(() => closed, "the end of the connection");
  return { told, at: `The model at ${url}` };
}

function* again(text: string) {
  for (;;) yield text;
}

const lengthOf = (events: { text: string }[]) => events.reduce((sum, { text }) => sum + text.length, 0);
const notWhole = "The answer is not whole: the model came to the most that it may say at once. Ask it to go on.";

test("an answer that never ends is one of four megabytes that is told as not whole, and nobody listens any more", async () => {
  const { told } = await endless(chunk({ content: letters }));
  expect([told.end?.type, told.notes, lengthOf(told.of("text.delta"))]).toEqual([
    "run.completed",
    [notWhole],
    4 * MEGABYTE,
  ]);
});

test("what a model thinks counts, too", async () => {
  const { told } = await endless(chunk({ reasoning: letters }));
  expect([told.notes, lengthOf(told.of("thinking.delta"))]).toEqual([[notWhole], 4 * MEGABYTE]);
  expect(told.failure).toMatchObject({ code: "engine_failed", message: expect.stringMatching(/without a word/) });
});

test.each([
  ["a line that never ends", letters],
  [
    "the arguments of a call",
    chunk({ tool_calls: [{ index: 0, id: "1", function: { name: "f", arguments: letters } }] }),
  ],
])("%s is no answer, and is given up", async (_, text) => {
  const { told, at } = await endless(text);
  expect(told.failure).toEqual({
    code: "engine_failed",
    message: `${at} sent 32 MB with no word of an answer in them — look at what its server logs, or choose another model.`,
  });
});
