import { parseJson } from "../../transports/json.ts";
import { boundedText } from "../bounded-text.ts";
import { isObject } from "../is-object.ts";
import { SidecarError } from "./sidecar-error.ts";

/** As much as an answer may weigh; the server's own bound for what it takes is the same. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_OF_A_REFUSAL = 64 * 1024;
/** What a tool was given may be as deep as a request, and lies a few levels down in what is told of it. */
const MAX_DEPTH = 128;
/** A batch of lists has many values, and the server is trusted with as many as fit. */
const MAX_PARTS = MOST_BYTES;

/** The body of an answer, if it is not larger than may be held. */
export function textOf(response: Response, maxBytes = MOST_BYTES): Promise<string> {
  const message = `The answer is larger than ${maxBytes} bytes`;
  return boundedText(response, maxBytes, () => new SidecarError("overflow", message, { maxBytes }));
}

/** Of text that the server said. */
export function jsonIn(text: string, what: string): unknown {
  try {
    return parseJson(text, { maxDepth: MAX_DEPTH, maxParts: MAX_PARTS });
  } catch (error) {
    throw new SidecarError("protocol", `${what} is no JSON that can be used: ${(error as Error).message}`);
  }
}

/** Why a request was not done, from the answer that says so. */
export async function refusal(response: Response, url: string): Promise<SidecarError> {
  const { status } = response;
  const { code, message, details } = await told(response);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const data = {
    status,
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
    ...(retryAfter >= 0 ? { retryAfterMs: retryAfter * 1000 } : {}),
  };
  if (status === 401) {
    return new SidecarError("unauthorized", message ?? `The server at ${url} does not know the token`, data);
  }
  return new SidecarError("refused", message ?? `The server at ${url} answered with status ${status}`, data);
}

interface Told {
  code?: string;
  message?: string;
  details?: unknown;
}

async function told(response: Response): Promise<Told> {
  try {
    const body = jsonIn(await textOf(response, MOST_OF_A_REFUSAL), "The answer");
    const error = isObject(body) ? body.error : undefined;
    if (!isObject(error)) return {};
    const { code, message, details } = error;
    return {
      ...(typeof code === "string" ? { code } : {}),
      ...(typeof message === "string" && message !== "" ? { message } : {}),
      details,
    };
  } catch {
    return {}; // the status is enough
  }
}

/** Whether the same request may do better later. */
export function isPassing(error: SidecarError): boolean {
  if (error.code === "unreachable" || error.code === "timeout") return true;
  const status = error.code === "refused" && isObject(error.data) ? Number(error.data.status) : 0;
  return status === 429 || status >= 500;
}
