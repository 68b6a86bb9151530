import { expect, test } from "vitest";
import { isObject, objectOf, objectsOf, stringOf } from "../json-values.ts";
import { dataOf, joined, parameters, type Speaker, stubClient, wireContract } from "./contract.ts";

const client = stubClient();

const gemini: Speaker = {
  path: (stream) => `/v1beta/models/stub-model:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  body: (prompt) => ({
    systemInstruction: { parts: [{ text: "Be good." }] },
    contents: [{ role: "user", parts: [{ text: prompt }] }],
    tools: [{ functionDeclarations: [{ name: "bash", parametersJsonSchema: parameters }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  }),
  continued: (prompt, said) => {
    const more = [
      { role: "model", parts: [{ functionCall: { name: "bash", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "bash", response: { output: said } } }] },
    ];
    const body = gemini.body(prompt, false);
    return { ...body, contents: [...objectsOf(body.contents), ...more] };
  },
  whole: ({ candidates, usageMetadata }) => {
    const [candidate = {}] = objectsOf(candidates);
    const parts = objectsOf(objectOf(candidate.content).parts);
    const thoughts = parts.filter(({ thought }) => thought === true).map(({ text }) => text);
    return {
      thought: joined(thoughts).replace("**Thinking**\n", ""),
      said: joined(parts.filter(({ thought }) => thought !== true).map(({ text }) => text)),
      calls: parts
        .map(({ functionCall }) => functionCall)
        .filter(isObject)
        .map(({ name, args }) => ({ name: stringOf(name), input: args })),
      stop: candidate.finishReason,
      usage: usageMetadata,
    };
  },
  streamed: (events) => {
    const chunks = dataOf(events);
    const candidates = chunks.flatMap((chunk) => objectsOf(chunk.candidates));
    const parts = candidates.flatMap(({ content }) => objectsOf(objectOf(content).parts));
    const { usageMetadata } = chunks.at(-1) ?? {};
    return gemini.whole({ candidates: [{ ...candidates.at(-1), content: { parts } }], usageMetadata });
  },
  wants: (schema) =>
    [{ responseJsonSchema: schema }, { responseSchema: schema }].map((wanted) => ({
      generationConfig: { responseMimeType: "application/json", ...wanted },
    })),
  stops: ["STOP", "STOP"],
  failure: (message) => ({ error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } }),
};

wireContract(client, gemini);

test("thoughts are kept from a client that did not ask for them", async () => {
  const told = await client.read(gemini, { generationConfig: {} }, "[[think a]][[say b]]");
  expect(told).toMatchObject({ thought: "", said: "b" });
});

test("tokens are counted, however it is asked", async () => {
  const contents = [{ role: "user", parts: [{ text: "x".repeat(400) }] }];
  for (const body of [{ contents }, { generateContentRequest: { contents } }]) {
    const answer = await client.post("/v1beta/models/stub-model:countTokens", body);
    expect(await answer.json()).toEqual({ totalTokens: 101 });
  }
});
