import { isObject } from "../is-object.ts";
import { jsonIn, textOf } from "./http-answer.ts";
import type { Method, Params, Result } from "./protocol.ts";
import { type Sent, type ServerLink, type SidecarAddress, unreachable, wasRefused } from "./server-link.ts";
import { SidecarError } from "./sidecar-error.ts";

/** One call of a batch. */
export type BatchCall = { [M in Method]: readonly [method: M, params: Params<M>] }[Method];

/** What a batch gives: for each call its result, or why there is none. */
export type BatchResults<B extends readonly BatchCall[]> = {
  -readonly [I in keyof B]: Result<B[I][0]> | SidecarError;
};

type Outcome = { result: unknown } | { error: SidecarError };

/**
 * To ask for these a second time does no more than to ask once, so they are asked again when the answer was lost. A prompt is one of
 * them, because we name it ourselves.
 */
const repeatable: Record<Method, boolean> = {
  "session.create": false,
  // The second time is refused, though the first was ours.
  "session.approve": false,
  "session.close": false,
  "session.send": true,
  "session.stream": true,
  "session.cancel": true,
  "session.update": true,
  "session.list": true,
  "engines.list": true,
  "models.list": true,
};

/** The asking side of JSON-RPC 2.0 over HTTP. */
export class Rpc {
  readonly #link: ServerLink;
  #ids = 0;

  constructor(link: ServerLink) {
    this.#link = link;
  }

  async call(method: Method, params: unknown, signal: AbortSignal): Promise<unknown> {
    const id = this.#ids++;
    const answer = await this.#exchange({ jsonrpc: "2.0", id, method, params }, repeatable[method], signal);
    const outcome = outcomeIn(answer);
    if ("error" in outcome) throw outcome.error;
    if (idIn(answer) !== id) throw new SidecarError("protocol", `The answer to ${method} is for another call`);
    return outcome.result;
  }

  async batch(calls: readonly BatchCall[], signal: AbortSignal): Promise<unknown[]> {
    if (calls.length === 0) return [];
    const requests = calls.map(([method, params]) => ({ jsonrpc: "2.0", id: this.#ids++, method, params }));
    const mayRepeat = calls.every(([method]) => repeatable[method]);
    const answers = await this.#exchange(requests, mayRepeat, signal);
    if (!Array.isArray(answers)) {
      const outcome = outcomeIn(answers); // of the batch as a whole
      throw "error" in outcome ? outcome.error : new SidecarError("protocol", "The answer to a batch is not a batch");
    }
    const byId = new Map(answers.map((answer) => [idIn(answer), answer]));
    return requests.map(({ id, method }) => {
      if (!byId.has(id)) return new SidecarError("protocol", `The batch was answered, but not its call of ${method}`);
      const outcome = outcomeIn(byId.get(id));
      return "error" in outcome ? outcome.error : outcome.result;
    });
  }

  async #exchange(request: unknown, mayRepeat: boolean, signal: AbortSignal): Promise<unknown> {
    const body = jsonOf(request);
    const { address } = this.#link;
    try {
      return await this.#post(body, signal);
    } catch (error) {
      if (!(error instanceof SidecarError)) throw error;
      const helps = await this.#helps(error, address, mayRepeat, signal);
      signal.throwIfAborted();
      if (!helps) throw error;
      return await this.#post(body, signal);
    }
  }

  /** Whether it may be said a second time, and that may do better than the first. */
  async #helps(error: SidecarError, asked: SidecarAddress, mayRepeat: boolean, signal: AbortSignal): Promise<boolean> {
    const mayBeHeard = error.code === "unreachable" && !wasRefused(error);
    if (error.code !== "unauthorized" && error.code !== "unreachable") return false;
    if (mayBeHeard && !mayRepeat) return false;
    const hasMoved = await this.#link.hasMoved(asked, signal);
    return hasMoved || mayBeHeard;
  }

  async #post(body: string, signal: AbortSignal): Promise<unknown> {
    const sent: Sent = { method: "POST", headers: { "content-type": "application/json" }, body };
    const response = await this.#link.send("rpc", sent, signal);
    const text = await textOf(response).catch((error) => {
      throw unreachable(this.#link.address.url, error);
    });
    return jsonIn(text, "The answer");
  }
}

function jsonOf(request: unknown): string {
  try {
    return JSON.stringify(request);
  } catch (error) {
    throw new SidecarError("invalid", `The params cannot be sent as JSON: ${(error as Error).message}`);
  }
}

const idIn = (answer: unknown) => (isObject(answer) ? answer.id : undefined);

function outcomeIn(answer: unknown): Outcome {
  if (!isObject(answer)) return { error: new SidecarError("protocol", "The answer is no JSON-RPC response") };
  const { error } = answer;
  if (isObject(error) && typeof error.code === "number") return { error: refused(error.code, error) };
  if ("result" in answer) return { result: answer.result };
  return { error: new SidecarError("protocol", "The answer has neither a result nor an error that can be read") };
}

/** The wire's message is the same for all errors of a number; what the server says itself tells what to do. */
function refused(code: number, { message, data }: Record<string, unknown>): SidecarError {
  const own = isObject(data) ? data.message : undefined;
  const text = [own, message].find((one) => typeof one === "string" && one !== "") ?? `Error ${code}`;
  return new SidecarError(code, String(text), data);
}
