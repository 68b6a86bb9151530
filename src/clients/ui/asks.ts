import { isObject } from "../is-object.ts";
import type { Request, RpcId } from "./incoming.ts";
import type { RequestMethod, RequestParams, RequestResult } from "./protocol.ts";

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const USER_CANCELLED = -32003;

export interface AskContext {
  askId: string;
  /** Aborts when the ask was closed without this handler: by someone else, by its run's end, or with the connection. */
  signal: AbortSignal;
}

type Handler<M extends RequestMethod> = (
  params: RequestParams<M>,
  context: AskContext,
) => Promise<RequestResult<M>> | RequestResult<M>;

/** Who answers what the runtime asks. A handler that throws means that the user cancelled. */
export interface AskHandlers {
  confirm?: Handler<"ui.confirm.request">;
  prompt?: Handler<"ui.prompt.request">;
  pick?: Handler<"ui.pick.request">;
}

const kinds: ReadonlyMap<string, keyof AskHandlers> = new Map<RequestMethod, keyof AskHandlers>([
  ["ui.confirm.request", "confirm"],
  ["ui.prompt.request", "prompt"],
  ["ui.pick.request", "pick"],
]);

export type Reply = { result: unknown } | { error: { code: number; message: string } };

interface Open {
  runId: string | undefined;
  abort: AbortController;
}

/** The questions of the runtime that are before the user. */
export class Asks {
  readonly #handlers: AskHandlers;
  readonly #log: (text: string) => void;
  readonly #open = new Map<RpcId, Open>();

  constructor(handlers: AskHandlers, log: (text: string) => void) {
    this.#handlers = handlers;
    this.#log = log;
  }

  put(request: Request, reply: (reply: Reply) => void): void {
    const { method, params } = request;
    const kind = kinds.get(method);
    const handler = kind && (this.#handlers[kind] as Handler<RequestMethod> | undefined);
    if (!handler) reply(refusal(METHOD_NOT_FOUND, `This client does not answer ${method}`));
    else if (!isObject(params)) reply(refusal(INVALID_PARAMS, `${method} needs an object of params`));
    else if (!this.#open.has(request.id)) this.#ask(request, params, handler, reply); // else it is put again while open
  }

  #ask(
    { id, method }: Request,
    params: Record<string, unknown>,
    handler: Handler<RequestMethod>,
    reply: (reply: Reply) => void,
  ): void {
    const runId = typeof params.run_id === "string" ? params.run_id : undefined;
    const open: Open = { runId, abort: new AbortController() };
    this.#open.set(id, open);
    const answer = async () => handler(params as never, { askId: String(id), signal: open.abort.signal });
    answer()
      .then(
        (result) => (isObject(result) ? { result } : this.#refuse(method, "it gave no answer")),
        (error) => this.#refuse(method, error),
      )
      .then((given) => {
        if (this.#open.get(id) !== open) return; // closed elsewhere, so that an answer would come too late
        this.#open.delete(id);
        reply(given);
      })
      .catch((error) => reply(this.#refuse(method, error))); // an answer that is no JSON
  }

  close(id: RpcId): void {
    const open = this.#open.get(id);
    if (open) this.#close(id, open);
  }

  /** No ask of the run is open any more. */
  closeRun(runId: string): void {
    for (const [id, open] of this.#open) if (open.runId === runId) this.#close(id, open);
  }

  closeAll(): void {
    for (const [id, open] of this.#open) this.#close(id, open);
  }

  #close(id: RpcId, { abort }: Open): void {
    this.#open.delete(id);
    abort.abort();
  }

  #refuse(method: string, reason: unknown): Reply {
    const text = reason instanceof Error ? reason.message : String(reason);
    this.#log(`The handler of ${method} did not answer: ${text}`);
    return refusal(USER_CANCELLED, "The user cancelled");
  }
}

function refusal(code: number, message: string): Reply {
  return { error: { code, message } };
}

/** A runtime asks only what somebody here answers. */
export function capabilitiesOf(handlers: AskHandlers) {
  return {
    supports_confirm: handlers.confirm !== undefined,
    supports_prompt: handlers.prompt !== undefined,
    supports_pick: handlers.pick !== undefined,
  };
}
