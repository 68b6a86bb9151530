import { isUtf8 } from "node:buffer";
import { asDragomanError, DragomanError } from "../../core/errors.ts";
import type { CallTable } from "../../dialects/dialect.ts";
import type { RpcCall, RpcError, RpcHandlers } from "../../dialects/json-rpc.ts";
import { parseJson } from "../json.ts";
import { checkedParams } from "../rpc-params.ts";
import { asCall, type Call, type Id, idOf } from "./rpc-endpoint-call.ts";

const MOST_IN_BATCH = 100;
/** Calls of one batch that are under way at a time. */
const AT_ONCE = 8;
/** Of bytes. A batch whose answers have come to more than this has no more of them. */
const MOST_ANSWERED = 16 * 1024 * 1024;
/** An answer by itself of less than this is not counted: there is one for each connection at most. */
const SMALL_ANSWER = 16 * 1024;

interface RpcEndpointOptions<Calls extends CallTable, Context> {
  calls: Calls;
  /** Throws where whoever sent the request may not call that. It is asked before the params are looked at. */
  allow?(method: keyof Calls, context: Context): void;
  /** What answers the calls of whoever sent the request. */
  handlers(context: Context): RpcHandlers<Calls>;
  wireError(error: DragomanError): RpcError;
  /** A fault of ours, for whoever looks after this process. Gives what the caller may be told of it. */
  onFault(error: DragomanError): DragomanError;
}

/** Counts so much of an answer among those that are held in memory; false when there is no room for it. */
export type Hold = (bytes: number) => boolean;

/**
 * Takes the body of a request and gives that of its answer, or nothing where there is nothing to say. It fails only with
 * `queue_full`, when there is no room for the answer.
 */
type RpcEndpoint<Context> = (body: Buffer | string, context: Context, hold?: Hold) => Promise<string | undefined>;

/**
 * The answering side of JSON-RPC 2.0 where a request has a body and an answer of its own. Every call of a batch is answered once, in
 * the order in which they came, and what is wrong with one costs the others nothing.
 */
export function rpcEndpoint<Calls extends CallTable, Context>(
  options: RpcEndpointOptions<Calls, Context>,
): RpcEndpoint<Context> {
  const endpoint = new Endpoint(options);
  return (body, context, hold = () => true) => endpoint.answer(body, context, hold);
}

type Handlers = Record<string, (params: unknown, call: RpcCall) => unknown>;

/** Of one request. */
interface Asked<Context> {
  context: Context;
  handlers: Handlers;
  hold: Hold;
}

class Endpoint<Calls extends CallTable, Context> {
  readonly #options: RpcEndpointOptions<Calls, Context>;
  readonly #calls: Map<string, CallTable[string]>;

  constructor(options: RpcEndpointOptions<Calls, Context>) {
    this.#options = options;
    this.#calls = new Map(Object.entries(options.calls));
  }

  answer(body: Buffer | string, context: Context, hold: Hold): Promise<string | undefined> {
    let message: unknown;
    let handlers: Handlers;
    try {
      message = parseJson(textOf(body));
      if (Array.isArray(message)) checkBatch(message);
      handlers = this.#options.handlers(context) as Handlers;
    } catch (error) {
      return Promise.resolve(this.#refusal(null, error));
    }
    const asked = { context, handlers, hold };
    return Array.isArray(message) ? this.#answerBatch(message, asked) : this.#answerAlone(message, asked);
  }

  async #answerAlone(message: unknown, asked: Asked<Context>): Promise<string | undefined> {
    const answer = await this.#answerOne(message, asked);
    if (answer === undefined || answer.length <= SMALL_ANSWER || asked.hold(Buffer.byteLength(answer))) return answer;
    throw noRoom();
  }

  async #answerBatch(messages: unknown[], asked: Asked<Context>): Promise<string | undefined> {
    const answers: (string | undefined)[] = [];
    const waiting = messages.entries();
    let bytes = 0;
    let full: DragomanError | undefined;
    const answered = async (message: unknown) => {
      if (full) return this.#refuseOne(message, full);
      const answer = await this.#answerOne(message, asked);
      if (answer === undefined) return undefined;
      const more = Buffer.byteLength(answer);
      bytes += more;
      if (bytes > MOST_ANSWERED) full = tooMuchAnswered();
      if (asked.hold(more)) return answer;
      full = noRoom();
      return this.#refuseOne(message, full);
    };
    const worker = async () => {
      for (const [at, message] of waiting) answers[at] = await answered(message);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const said = answers.filter((answer) => answer !== undefined);
    return said.length === 0 ? undefined : `[${said.join(",")}]`;
  }

  async #answerOne(message: unknown, asked: Asked<Context>): Promise<string | undefined> {
    let id: Id | undefined = idOf(message); // what is no call at all is answered under its id, or none
    let after: (() => void)[] | undefined;
    try {
      const call = asCall(message);
      id = call.id;
      const afterwards = (action: () => void) => {
        after ??= [];
        after.push(action);
      };
      const result = await this.#invoke(call, asked, afterwards);
      const json = JSON.stringify(result) ?? "null";
      return id === undefined ? undefined : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;
    } catch (error) {
      const refusal = this.#refusal(id ?? null, error);
      return id === undefined ? undefined : refusal;
    } finally {
      if (after) this.#do(after);
    }
  }

  #invoke(
    { method, params, id }: Call,
    { context, handlers }: Asked<Context>,
    afterwards: RpcCall["afterwards"],
  ): unknown {
    const row = this.#calls.get(method);
    if (!row) throw methodNotFound(method, this.#calls.keys());
    this.#options.allow?.(method, context);
    return handlers[method]?.(checkedParams(method, row.params, params), { id: id ?? undefined, afterwards });
  }

  /** A notification is answered by nothing. */
  #refuseOne(message: unknown, error: DragomanError): string | undefined {
    const isNotification = typeof message === "object" && message !== null && !("id" in message);
    return isNotification ? undefined : this.#refusal(idOf(message), error);
  }

  #refusal(id: Id, error: unknown): string {
    const known = asDragomanError(error);
    const { wireError, onFault } = this.#options;
    const told = wireError(known.code === "internal" ? onFault(known) : known);
    try {
      return JSON.stringify({ jsonrpc: "2.0", id, error: told });
    } catch (odd) {
      return this.#refusal(id, asDragomanError(odd)); // its data are no JSON
    }
  }

  #do(actions: (() => void)[]): void {
    for (const action of actions) {
      try {
        action();
      } catch (error) {
        this.#options.onFault(asDragomanError(error)); // the answer is true all the same
      }
    }
  }
}

function textOf(body: Buffer | string): string {
  if (typeof body === "string") return body;
  if (isUtf8(body)) return body.toString();
  throw new DragomanError("parse_error", "The body is not UTF-8, as JSON has to be.");
}

function checkBatch(messages: unknown[]): void {
  if (messages.length === 0) throw new DragomanError("invalid_request", "A batch has at least one call.");
  if (messages.length <= MOST_IN_BATCH) return;
  const message = `A batch has at most ${MOST_IN_BATCH} calls, and this one ${messages.length}. Send several.`;
  throw new DragomanError("invalid_request", message, { most: MOST_IN_BATCH });
}

function tooMuchAnswered(): DragomanError {
  const message = `The answers to a batch have at most ${MOST_ANSWERED} bytes. This call was not made: send it by itself.`;
  return new DragomanError("too_large", message, { most: MOST_ANSWERED });
}

function noRoom(): DragomanError {
  return new DragomanError("queue_full", "Too many answers wait to be read. Try again in a moment.");
}

function methodNotFound(method: string, known: Iterable<string>): DragomanError {
  const message = `There is no method ${JSON.stringify(method.slice(0, 100))}. These are: ${[...known].join(", ")}.`;
  return new DragomanError("method_not_found", message);
}
