import type { IncomingMessage, ServerResponse } from "node:http";
import type { Grant } from "../../access/grant.ts";
import { DragomanError } from "../../core/errors.ts";
import type { Caller } from "../../core/roles.ts";
import { BodyReader, checkLength } from "./body-reader.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { isRevoked } from "./errors.ts";
import { HeldAnswer } from "./held-answer.ts";
import { requestIdOf } from "./incoming-request.ts";
import type { Exchange, KnownExchange } from "./route.ts";

/** What all exchanges of a server share. */
export interface Surroundings {
  readonly bodies: ByteBudget;
  readonly answers: ByteBudget;
  readonly maxBodyBytes: number;
  readonly stopping: AbortSignal;
}

type Params = Readonly<Record<string, string>>;

/** A request and its answer, and what the route found in the target. */
export interface Parts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Params;
  readonly search: string;
}

export class OpenExchange implements Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Params;
  readonly #search: string;
  readonly #around: Surroundings;
  #query: URLSearchParams | undefined;
  #reader: BodyReader | undefined;
  #held: HeldAnswer | undefined;

  constructor(around: Surroundings, { request, response, params, search }: Parts) {
    this.#around = around;
    this.request = request;
    this.response = response;
    this.params = params;
    this.#search = search;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search);
    return this.#query;
  }

  get requestId(): string {
    return requestIdOf(this.request);
  }

  get stopping(): AbortSignal {
    return this.#around.stopping;
  }

  async body(maxBytes = this.#around.maxBodyBytes): Promise<Buffer> {
    if (this.#reader) throw new DragomanError("internal", "The body of a request was read twice.");
    checkLength(this.request, maxBytes);
    this.#reader = new BodyReader(this.request, this.#around.bodies);
    if (this.request.headers.expect !== undefined) this.#invite();
    const body = await this.#reader.read(maxBytes);
    this.checkStillKnown();
    return body;
  }

  hold(bytes: number): boolean {
    this.#held ??= new HeldAnswer(this.response, this.#around.answers);
    return this.#held.take(bytes);
  }

  /** Whoever took long to send its body may have lost its token meanwhile. */
  protected checkStillKnown(): void {}

  /** The body is no longer in use. */
  release(): void {
    this.#reader?.release();
  }

  /** Who asked whether it may send its body is told so only now, when all the checks are behind it. */
  #invite(): void {
    if (this.request.headers.expect?.toLowerCase() === "100-continue") this.response.writeContinue();
  }
}

export class CallerExchange extends OpenExchange implements KnownExchange {
  readonly grant: Grant;

  constructor(around: Surroundings, parts: Parts, grant: Grant) {
    super(around, parts);
    this.grant = grant;
  }

  get caller(): Caller {
    return this.grant.caller;
  }

  get revoked(): AbortSignal {
    return this.grant.revoked;
  }

  protected override checkStillKnown(): void {
    if (this.revoked.aborted) throw isRevoked();
  }
}
