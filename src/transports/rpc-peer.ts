import * as z from "zod";
import { asDragomanError, DragomanError, type ErrorCode } from "../core/errors.ts";
import type { CallTable } from "../dialects/dialect.ts";
import {
  ANSWERED_LATER,
  type AnsweredLater,
  type RpcCall,
  type RpcError,
  type RpcHandlers,
  type RpcId,
  type RpcReply,
  rpcError,
} from "../dialects/json-rpc.ts";
import { parseJson } from "./json.ts";
import type { Line } from "./ndjson.ts";
import { checkedParams } from "./rpc-params.ts";

/** With more than this under way at once, no more is read. */
const MOST_IN_FLIGHT = 1000;
const MOST_IN_FLIGHT_BYTES = 16 * 1024 * 1024;
const LONGEST_ID = 1000;

interface RpcPeerOptions<Calls extends CallTable> {
  calls: Calls;
  errors: Record<ErrorCode, number>;
  handlers: RpcHandlers<Calls, AnsweredLater>;
  /** Throws where the other side may not call that. */
  allow?(method: keyof Calls): void;
  /** The other side answers one of our own requests. What it throws is told to the other side. */
  onReply(reply: RpcReply): void | Promise<void>;
  /** Whether a call with this id waits for an answer that a handler left to others. */
  isAnsweredLater?(id: RpcId): boolean;
  send(json: string): void;
  /** Too much is under way: nothing more should come until the returned function is called. */
  hold(): () => void;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
}

type Handler = (params: unknown, call: RpcCall) => unknown;

interface Row {
  allow(): void;
  params: z.ZodType;
  handler: Handler;
}

/**
 * The answering side of JSON-RPC 2.0: one line is one message. What is wrong with a message is told with its id where it has one, and
 * costs nothing else.
 */
export class RpcPeer<Calls extends CallTable> {
  readonly #options: RpcPeerOptions<Calls>;
  readonly #rows: Map<string, Row>;
  readonly #inFlight = new Set<RpcId>();
  readonly #underWay = new Set<Promise<void>>();
  #bytesUnderWay = 0;
  #release: (() => void) | undefined;

  constructor(options: RpcPeerOptions<Calls>) {
    this.#options = options;
    const { calls, handlers } = options;
    this.#rows = new Map(
      Object.entries(calls).map(([method, { params }]) => {
        const allow = () => options.allow?.(method as keyof Calls);
        return [method, { allow, params, handler: handlers[method] as Handler }];
      }),
    );
  }

  receive(line: Line): void {
    let id: RpcId | null = null;
    try {
      if (typeof line !== "string") throw line;
      const message = asMessage(parseJson(line));
      id = message.id ?? null;
      if (message.jsonrpc !== "2.0") throw new DragomanError("invalid_request", NO_VERSION);
      if (isReply(message)) this.#reply(message, line.length);
      else this.#call(message, line.length);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Resolves when everything that came has been dealt with. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #call({ id, method, params }: Message, bytes: number): void {
    if (typeof method !== "string") throw new DragomanError("invalid_request", "The method of a message is a string.");
    if (id !== undefined && (this.#inFlight.has(id) || this.#options.isAnsweredLater?.(id))) {
      const text = `A request with the id ${JSON.stringify(id)} is still being answered.`;
      // Not under that id: it would be taken for the answer to the first.
      this.#fail(null, new DragomanError("invalid_request", text, { id }));
      return;
    }
    const after: (() => void)[] = [];
    const call: RpcCall = { id, afterwards: (action) => after.push(action) };
    try {
      const given = this.#handle(method, params, call);
      if (given instanceof Promise) this.#track(this.#answered(id, after, given), bytes);
      else this.#answer(id, after, given);
    } catch (error) {
      this.#refuse(id, after, error);
    }
  }

  #answered(id: RpcId | undefined, after: (() => void)[], given: Promise<unknown>): Promise<void> {
    if (id !== undefined) this.#inFlight.add(id);
    return given
      .finally(() => id !== undefined && this.#inFlight.delete(id))
      .then(
        (result) => this.#answer(id, after, result),
        (error) => this.#refuse(id, after, error),
      );
  }

  #track(work: Promise<void>, bytes: number): void {
    this.#underWay.add(work);
    this.#bytesUnderWay += bytes;
    if (this.#isFull()) this.#release ??= this.#options.hold();
    void work.finally(() => {
      this.#underWay.delete(work);
      this.#bytesUnderWay -= bytes;
      if (this.#isFull()) return;
      this.#release?.();
      this.#release = undefined;
    });
  }

  #isFull(): boolean {
    return this.#underWay.size >= MOST_IN_FLIGHT || this.#bytesUnderWay >= MOST_IN_FLIGHT_BYTES;
  }

  #handle(method: string, params: unknown, call: RpcCall): unknown {
    const row = this.#rows.get(method);
    if (!row) throw this.#unknown(method);
    row.allow();
    return row.handler(checkedParams(method, row.params, params), call);
  }

  #unknown(method: string): DragomanError {
    const known = [...this.#rows.keys()].join(", ");
    const message = `There is no method ${JSON.stringify(method.slice(0, 100))}. There are: ${known}.`;
    return new DragomanError("method_not_found", message);
  }

  #answer(id: RpcId | undefined, after: (() => void)[], result: unknown): void {
    if (id !== undefined && result !== ANSWERED_LATER) {
      this.#options.send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`);
    }
    for (const action of after) action();
  }

  #refuse(id: RpcId | undefined, after: (() => void)[], error: unknown): void {
    this.#fail(id, error);
    for (const action of after) action();
  }

  #reply({ id, error, result }: Reply, bytes: number): void {
    const reply = error === undefined ? { id, result } : { id, error: wireError(error) };
    const taken = Promise.resolve()
      .then(() => this.#options.onReply(reply))
      .catch((failure) => this.#fail(null, failure));
    this.#track(taken, bytes);
  }

  /** A notification is answered by nothing, whatever was wrong with it. */
  #fail(id: RpcId | null | undefined, error: unknown): void {
    const known = asDragomanError(error);
    if (known.code === "internal") this.#options.onFault(known);
    if (id === undefined) return;
    this.#options.send(JSON.stringify({ jsonrpc: "2.0", id, error: rpcError(this.#options.errors, known) }));
  }
}

interface Message {
  jsonrpc?: unknown;
  id?: RpcId;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}
type Reply = Message & { id: RpcId };

const NO_VERSION = 'A message says "jsonrpc": "2.0".';

function asMessage(value: unknown): Message {
  if (Array.isArray(value)) throw new DragomanError("invalid_request", "Batches are not part of this protocol.");
  if (typeof value !== "object" || value === null) {
    throw new DragomanError("invalid_request", "A message is a JSON object.");
  }
  const { id } = value as { id?: unknown };
  const isShort = typeof id === "string" && id.length <= LONGEST_ID; // it is kept, and comes back
  if (id === undefined || isShort || Number.isFinite(id)) return value as Message;
  throw new DragomanError("invalid_request", `The id of a message is a string of at most ${LONGEST_ID} characters.`);
}

/** What has neither is a request without its method. */
const isReply = (message: Message): message is Reply =>
  message.method === undefined && message.id !== undefined && ("result" in message || "error" in message);

const anyError = z.looseObject({ code: z.number(), message: z.string().default("") });

function wireError(error: unknown): RpcError {
  const parsed = anyError.safeParse(error);
  return parsed.success ? parsed.data : { code: 0, message: "" };
}
