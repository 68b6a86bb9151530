import { parseJson } from "../../transports/json.ts";
import { boundedText } from "../bounded-text.ts";
import { isObject } from "../is-object.ts";
import { OperationsError } from "./operations-error.ts";

/** A page of an operation's history may have 1000 messages of 10 KB. */
const MOST_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 1_000_000;
const LONGEST_WORD = 100;

/** The JSON in the body of an answer, if it is not larger than may be held. Nothing where there is no body. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await boundedText(response, MOST_BYTES, tooLarge);
  return text === "" ? undefined : jsonIn(text, "The answer");
}

const tooLarge = () => new OperationsError("overflow", `The answer is larger than ${MOST_BYTES} bytes`);

/** Of text that the server said. */
export function jsonIn(text: string, what: string): unknown {
  try {
    return parseJson(text, { maxParts: MAX_PARTS });
  } catch (error) {
    throw new OperationsError("protocol", `${what} is no JSON that can be used: ${(error as Error).message}`);
  }
}

/** Why a request was not done, from the answer that says so. */
export async function refusal(response: Response, url: string): Promise<OperationsError> {
  const { status } = response;
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const facts = { status, ...(retryAfter >= 0 ? { retryAfterMs: retryAfter * 1000 } : {}) };
  const said = await bodyOf(response).catch(() => undefined); // the status is enough
  const usual = status === 401 ? "unauthorized" : "refused";
  const text = status === 401 ? `The server at ${url} does not know this sign-in` : `${url} answered with ${status}`;
  if (!isObject(said)) return new OperationsError(usual, text, facts);
  // `auth/verify` says in its own way that it does not know a token.
  if (typeof said.error === "string") {
    const { required_scopes: scopes } = said;
    return new OperationsError(usual, said.error, { ...facts, details: scopes === undefined ? [] : [{ scopes }] });
  }
  const { code, message, details, request_id: requestId } = isObject(said.error) ? said.error : {};
  return new OperationsError(
    typeof code === "string" ? code.slice(0, LONGEST_WORD) : usual,
    typeof message === "string" && message !== "" ? message : text,
    {
      ...facts,
      ...(Array.isArray(details) ? { details } : {}),
      ...(typeof requestId === "string" ? { requestId } : {}),
    },
  );
}
