import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import { systemClock } from "../../core/clock.ts";
import { DragomanError } from "../../core/errors.ts";
import { AnswerWatch } from "./answer-watch.ts";
import type { Exchange } from "./earlier-talk.ts";
import { cutOff, modelAt, saidFailure } from "./endpoint-failure.ts";
import { endpointFetch } from "./endpoint-fetch.ts";
import type { ModelOptions } from "./model-options.ts";

/** One answer of the model that is wanted. */
export interface Question {
  model: string;
  instructions: string;
  earlier: Exchange[];
  prompt: string;
}

export type Piece =
  | { kind: "say" | "think"; text: string }
  /** Comes last, or the stream has failed. The tokens are told by most servers. */
  | { kind: "end"; why: Finish["unified"]; input?: number; output?: number };

type ChatModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;
type Prompt = Parameters<ChatModel["doStream"]>[0]["prompt"];
type StreamPart =
  Awaited<ReturnType<ChatModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Finish = Extract<StreamPart, { type: "finish" }>["finishReason"];

/** It takes a while to be loaded, and is not needed before a model is asked. */
const sdk = () => import("@ai-sdk/openai-compatible");

/**
 * What the model says, as it comes. Throws a failure of ours, or the reason of the abort. Once it has begun, the failure is `engine_failed` or
 * `timeout`, whatever the server says.
 */
export async function* modelStream(
  options: ModelOptions,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<Piece, void> {
  const watch = new AnswerWatch(options.clock ?? systemClock, modelAt(options));
  const stop = AbortSignal.any([signal, watch.signal]);
  let last: Piece | undefined;
  try {
    const chat = await chatModel(options, question.model, (bytes) => watch.heard(bytes));
    const { stream } = await chat.doStream({ prompt: promptOf(question), abortSignal: stop });
    for await (const part of stream) {
      if (part.type === "error") throw errorOf(part.error, options, last !== undefined);
      const piece = pieceOf(part);
      if (!piece) continue;
      last = piece;
      watch.understood();
      yield piece;
    }
    if (last?.kind !== "end") throw new Error("it did not say that this is the end");
  } catch (error) {
    stop.throwIfAborted();
    throw error instanceof DragomanError ? error : cutOff(options, last !== undefined, error);
  } finally {
    watch.end();
  }
}

async function chatModel(options: ModelOptions, model: string, onBytes: (count: number) => void): Promise<ChatModel> {
  const { createOpenAICompatible } = await sdk();
  const { baseUrl: baseURL, apiKey } = options;
  const fetch = endpointFetch(options, onBytes);
  return createOpenAICompatible({ name: "model", baseURL, apiKey, includeUsage: true, fetch }).chatModel(model);
}

function promptOf({ instructions, earlier, prompt }: Question): Prompt {
  const user = (text: string): Prompt[number] => ({ role: "user", content: [{ type: "text", text }] });
  const assistant = (text: string): Prompt[number] => ({ role: "assistant", content: [{ type: "text", text }] });
  return [
    { role: "system", content: instructions },
    ...earlier.flatMap((exchange) => [user(exchange.prompt), assistant(exchange.answer)]),
    user(prompt),
  ];
}

function pieceOf(part: StreamPart): Piece | undefined {
  switch (part.type) {
    case "text-delta":
      return part.delta === "" ? undefined : { kind: "say", text: part.delta };
    case "reasoning-delta":
      return part.delta === "" ? undefined : { kind: "think", text: part.delta };
    case "finish": {
      const { inputTokens, outputTokens } = part.usage;
      return { kind: "end", why: part.finishReason.unified, input: inputTokens.total, output: outputTokens.total };
    }
    default:
      return undefined;
  }
}

/** What the server says in a stream instead of going on with it, or what is wrong with what it says. */
function errorOf(error: unknown, options: ModelOptions, hasBegun: boolean): Error {
  if (error instanceof Error) return error;
  const said = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  const words = typeof said === "string" ? said : JSON.stringify(said);
  return hasBegun ? new Error(words) : saidFailure(options, words);
}
