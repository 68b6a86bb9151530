import { createInterface } from "node:readline";

// JSON-RPC on stdin and stdout, written by hand: the SDK takes longer to load than most tests take.

/** An error that is answered with. */
export class AnsweredError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

type Params = Record<string, unknown>;
export type Handlers = Record<string, (params: Params) => unknown>;

interface Message {
  id?: unknown;
  method?: string;
  params?: Params;
  result?: unknown;
}

/** The agent's end of the wire. */
export class AgentWire {
  readonly #handlers: Handlers;
  readonly #waiting = new Map<unknown, (result: unknown) => void>();
  /** Resolves when there is nothing more to be heard. */
  readonly closed: Promise<void>;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
    this.closed = this.#listen();
  }

  async request<R>(method: string, params: Params): Promise<R> {
    const id = `of agent ${this.#waiting.size}`;
    const answered = new Promise((resolve) => this.#waiting.set(id, resolve));
    await this.#send({ id, method, params });
    return (await answered) as R;
  }

  async notify(method: string, params: Params): Promise<void> {
    await this.#send({ method, params });
  }

  /** What a message brings about is done before the next one is heard, as far as it waits for nothing. */
  async #listen(): Promise<void> {
    for await (const line of createInterface({ input: process.stdin })) {
      void this.#take(JSON.parse(line) as Message);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #take({ id, method, params = {}, result }: Message): Promise<void> {
    if (method === undefined) this.#waiting.get(id)?.(result);
    else if (id === undefined) await this.#handlers[method]?.(params);
    else await this.#send({ id, ...(await this.#answer(method, params)) });
  }

  async #answer(method: string, params: Params): Promise<Params> {
    try {
      const handler = this.#handlers[method];
      if (!handler) throw new AnsweredError(-32601, `"Method not found": ${method}`);
      return { result: (await handler(params)) ?? null };
    } catch (error) {
      if (!(error instanceof AnsweredError)) throw error;
      const { code, message, data } = error;
      return { error: { code, message, data } };
    }
  }

  #send(message: Params): Promise<void> {
    return new Promise((resolve) => {
      process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, () => resolve());
    });
  }
}
