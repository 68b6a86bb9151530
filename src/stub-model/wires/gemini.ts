import { randomUUID } from "node:crypto";
import { type Block, blocksOf } from "../answer.ts";
import type { Entry, OfferedTool } from "../conversation.ts";
import { type JsonObject, objectOf, objectsOf, stringOf, textOf } from "../json-values.ts";
import type { Beat, Reply, Wire } from "./wire.ts";

const route = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

/** Google's Gemini, as its own tools ask it. The path names the model and what is wanted of it. */
export const gemini: Wire = {
  routes: ["generateContent", "streamGenerateContent", "countTokens"].map(
    (method) => `POST /v1beta/models/stub-model:${method}`,
  ),
  asked: (path) => {
    const [, model, method] = route.exec(path) ?? [];
    if (model === undefined) return undefined;
    return { what: method === "countTokens" ? "count" : "answer", model, stream: method === "streamGenerateContent" };
  },
  read: (given, { model = "stub-model", stream = false }) => {
    const body = objectOf(given.generateContentRequest ?? given); // so a count may be asked for
    const { thinkingConfig, ...wanted } = objectOf(body.generationConfig);
    return {
      model,
      entries: [...systemOf(body.systemInstruction), ...objectsOf(body.contents).flatMap(entriesOf)],
      tools: objectsOf(body.tools).flatMap((tool) => objectsOf(tool.functionDeclarations).map(toolOf)),
      stream,
      thinking: objectOf(thinkingConfig).includeThoughts === true,
      ...wantedSchema(wanted),
    };
  },
  whole: (reply) => {
    const parts = blocksOf(reply.parts).flatMap((block) =>
      "text" in block ? [textPart(block, block.text)] : callParts(block),
    );
    return chunk(reply, parts, true);
  },
  stream,
  count: (tokens) => ({ totalTokens: tokens }),
  failure: (status, message) => ({
    error: { code: status, message, status: failures[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL") },
  }),
};

const failures: Record<number, string> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function systemOf(system: unknown): Entry[] {
  return system === undefined ? [] : [{ role: "system", text: textOf(objectOf(system).parts ?? system) }];
}

function entriesOf({ role: who, parts }: JsonObject): Entry[] {
  const role = who === "model" ? "model" : "user";
  return objectsOf(parts).flatMap(({ text, thought, functionCall, functionResponse }): Entry[] => {
    if (functionResponse !== undefined) return [{ role: "result", text: resultText(functionResponse) }];
    if (functionCall !== undefined) return [{ role: "call", text: JSON.stringify(functionCall) }];
    return typeof text === "string" && text !== "" && thought !== true ? [{ role, text }] : [];
  });
}

function resultText(functionResponse: unknown): string {
  const { response } = objectOf(functionResponse);
  return textOf(response) || JSON.stringify(response ?? "");
}

function toolOf({ name, parameters, parametersJsonSchema }: JsonObject): OfferedTool {
  return { name: stringOf(name), form: "function", schema: objectOf(parametersJsonSchema ?? parameters) };
}

function wantedSchema({ responseMimeType, responseJsonSchema, responseSchema }: JsonObject): { schema?: JsonObject } {
  return responseMimeType === "application/json" ? { schema: objectOf(responseJsonSchema ?? responseSchema) } : {};
}

/** A thought comes whole and with a subject in bold, for which clients look. */
function textPart({ kind }: Block, text: string): JsonObject {
  return kind === "think" ? { text: `**Thinking**\n${text}`, thought: true } : { text };
}

/** A call without the signature of a thought is refused by those who take newer models for granted. */
const SIGNATURE = Buffer.from("stub").toString("base64");

function callParts(block: Block): JsonObject[] {
  if (block.kind !== "call") return [];
  const { tool, input } = block.call;
  return [{ functionCall: { id: randomUUID(), name: tool.name, args: input }, thoughtSignature: SIGNATURE }];
}

function chunk({ id, request, usage }: Reply, parts: JsonObject[], isLast: boolean) {
  const usageMetadata = {
    promptTokenCount: usage.prompt,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.answer - usage.thinking,
    thoughtsTokenCount: usage.thinking,
    totalTokenCount: usage.prompt + usage.answer,
  };
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, ...(isLast ? { finishReason: "STOP" } : {}) }],
    modelVersion: request.model,
    responseId: id,
    ...(isLast ? { usageMetadata } : {}),
  };
}

function* stream(reply: Reply): Iterable<Beat> {
  const told = (part: JsonObject): Beat => ({ send: chunk(reply, [part], false) });
  for (const block of blocksOf(reply.parts)) {
    if (block.kind === "cut") return yield "cut";
    if (block.kind === "wait") yield { waitMs: block.ms };
    if (block.kind === "think") yield* [told(textPart(block, block.text)), "pause" as const];
    for (const beat of "beats" in block ? block.beats : []) {
      if (typeof beat !== "string") yield beat;
      else if (block.kind === "say") yield* [told(textPart(block, beat)), "pause" as const];
    }
    yield* callParts(block).map(told);
  }
  yield { send: chunk(reply, [{ text: "" }], true) };
}
