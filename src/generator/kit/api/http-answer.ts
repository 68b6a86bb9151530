import type { Json } from "../descriptor.ts";
import { ApiError, type FileResult } from "./backend.ts";
import { isDeeperThan, parseJson } from "./json.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  content: Blob;
  /** The text of it, if it is one. */
  text?: string;
  /** Undefined if there is none, or if it is no JSON, or none that could be shown. */
  json?: Json;
  isTooDeep?: boolean;
}

const secondsToAnswer = 30;
/** Far more than anyone reads. */
const deepestAnswer = 200;

/** Sends a request and reads the answer, whatever it says. */
export async function answerTo(
  request: TransportRequest,
  transport: Transport,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(secondsToAnswer * 1000);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let response: TransportResponse;
  try {
    response = await transport(request, either);
  } catch (error) {
    throw noAnswer(request, error, { aborted: signal?.aborted, late: timeout.aborted });
  }
  return readAnswer(response);
}

function noAnswer(
  request: TransportRequest,
  error: unknown,
  ended: { aborted?: boolean; late: boolean },
): ApiError {
  if (error instanceof ApiError) return error;
  if (ended.aborted) return new ApiError("aborted", "This was stopped.");
  const { host } = new URL(request.url);
  if (ended.late) {
    return new ApiError("network", `${host} did not answer within ${secondsToAnswer} seconds.`);
  }
  return new ApiError(
    "network",
    `No answer from ${host}. The address may be wrong, the server down, or it does not allow ` +
      "calls from web pages (CORS).",
    { answer: error instanceof Error ? error.message : String(error) },
  );
}

async function readAnswer(response: TransportResponse): Promise<HttpAnswer> {
  const { status, headers, body: content } = response;
  const mediaType = headers["content-type"] ?? "";
  const isText = mediaType === "" || /^text\/|[/+](json|xml|yaml|javascript)\b/i.test(mediaType);
  if (!isText || content.size === 0) return { status, headers, content };
  const text = await content.text();
  const json = jsonOrNothing(text);
  return isDeeperThan(deepestAnswer, json)
    ? { status, headers, content, text, isTooDeep: true }
    : { status, headers, content, text, json };
}

function jsonOrNothing(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The JSON of an answer that must have some. */
export function jsonOf(answer: HttpAnswer): Json {
  if (answer.json !== undefined) return answer.json;
  if (answer.isTooDeep) {
    const message = `The answer of the server is nested more than ${deepestAnswer} levels deep.`;
    throw new ApiError("badResponse", message, { status: answer.status });
  }
  const got = answer.headers["content-type"]?.split(";")[0] || "nothing readable";
  throw new ApiError(
    "badResponse",
    answer.content.size === 0
      ? "The server sent an empty answer."
      : `The server answered with ${got} instead of JSON. Is the address right?`,
    { status: answer.status, answer: answer.text?.slice(0, 4000) },
  );
}

/** The answer as something to be saved. */
export function fileOf(answer: HttpAnswer, fallbackName: string): FileResult {
  const disposition = answer.headers["content-disposition"] ?? "";
  const mediaType = answer.headers["content-type"]?.split(";")[0]?.trim() ?? "";
  return {
    name: fileName(disposition) ?? fallbackName,
    mediaType: mediaType || "application/octet-stream",
    content: answer.content,
  };
}

function fileName(disposition: string): string | undefined {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  const name = encoded ? decodedName(encoded) : (plain?.[1] ?? plain?.[2]);
  return name?.split(/[/\\]/).at(-1) || undefined;
}

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
