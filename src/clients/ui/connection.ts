import { encode, type Line } from "../../transports/ndjson.ts";
import type { LinkEnd } from "../link-end.ts";
import type { Deadline } from "./deadline.ts";
import { type Incoming, type Notification, type Request, type Response, type RpcId, readMessage } from "./incoming.ts";
import type { Connect, Link } from "./link.ts";
import { type Expectation, PendingCalls } from "./pending-calls.ts";
import { SendQueue } from "./send-queue.ts";
import { UiError } from "./ui-error.ts";

/** Of a line that cannot be used so much is logged. */
const SHOWN_OF_LINE = 200;

/** What came and could not be used, since the client was made. */
export interface Strays {
  /** Lines that are no JSON-RPC message. */
  badLines: number;
  /** Lines longer than 16 MiB. */
  tooLongLines: number;
  /** Answers to calls that were given up. */
  lateResponses: number;
  /** Answers to what was never asked. */
  unknownResponses: number;
  /** Notifications of a kind that is not known here, or without what makes them up. */
  unknownNotifications: number;
}

export interface ConnectionEvents {
  notification(message: Notification, size: number): void;
  request(request: Request): void;
  log(text: string): void;
  /** Something was lost, and the connection goes on. */
  fault(error: UiError): void;
  /** Once; every call that was open has been rejected. */
  ended(reason: UiError): void;
}

interface ConnectionOptions {
  connect: Connect;
  events: ConnectionEvents;
  strays: Strays;
  nextId(): string;
}

/** One link to one runtime: requests out and answers in, until it ends. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #link: Link;
  readonly #queue: SendQueue;
  readonly #calls = new PendingCalls();
  #over: UiError | undefined;
  #paused = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#link = options.connect({
      line: (line) => this.#line(line),
      drain: () => this.#queue.drained(),
      log: (text) => options.events.log(text),
      closed: (end) => this.#end(asUiError(end)),
    });
    this.#queue = new SendQueue((text) => this.#link.write(text), this.#link.mostBytes);
  }

  readonly isOver = () => this.#over !== undefined;

  get paused(): boolean {
    return this.#paused;
  }

  get pending(): number {
    return this.#calls.size;
  }

  request<T>(method: string, params: unknown, deadline: Deadline, expectation: Expectation<T>): Promise<T> {
    const id = this.#options.nextId();
    const send = () => {
      if (this.#over) throw this.#over;
      this.#queue.send(lineOf({ jsonrpc: "2.0", id, method, params }), { id });
    };
    const withdraw = () => this.#queue.withdraw(id);
    return this.#calls.expect(id, expectation, { deadline, send, withdraw });
  }

  /** Nobody waits for it, so that there was no room for it is told as any other loss. */
  notify(method: string, params: unknown): void {
    const line = lineOf({ jsonrpc: "2.0", method, params });
    if (this.#over) return;
    try {
      this.#queue.send(line);
    } catch (error) {
      this.#options.events.fault(error as UiError);
    }
  }

  /** To a runtime that is gone there is nothing to answer. */
  respond(id: RpcId, outcome: { result: unknown } | { error: { code: number; message: string } }): void {
    if (!this.#over) this.#queue.send(lineOf({ jsonrpc: "2.0", id, ...outcome }), { owed: true });
  }

  setPaused(paused: boolean): void {
    if (paused === this.#paused || this.#over) return;
    this.#paused = paused;
    if (paused) this.#link.pause();
    else this.#link.resume();
  }

  readonly close = (options?: { now?: boolean }): Promise<void> => this.#link.close(options);

  #line(line: Line): void {
    const { strays, events } = this.#options;
    if (typeof line === "string") {
      this.#message(readMessage(line), line);
    } else if (line.code === "too_large") {
      strays.tooLongLines++;
      events.fault(new UiError("overflow", `${line.message}, and was dropped`, line.data));
    } else {
      strays.badLines++;
      events.log(line.message);
    }
  }

  #message(message: Incoming, line: string): void {
    const { strays, events } = this.#options;
    if (message.kind === "response") this.#response(message);
    else if (message.kind === "request") events.request(message);
    else if (message.kind === "notification") events.notification(message, line.length);
    else {
      strays.badLines++;
      events.log(`The runtime sent a line that cannot be used (${message.reason}): ${line.slice(0, SHOWN_OF_LINE)}`);
    }
  }

  #response(response: Response): void {
    const { strays, events } = this.#options;
    const answered = this.#calls.answer(response);
    if (answered === "late") strays.lateResponses++;
    if (answered === "unknown") {
      strays.unknownResponses++;
      if (response.error) events.log(`The runtime could not use a message: ${response.error.message}`);
    }
  }

  #end(reason: UiError): void {
    if (this.#over) return;
    this.#over = reason;
    this.#calls.rejectAll(reason);
    this.#options.events.ended(reason);
  }
}

function asUiError(end: LinkEnd): UiError {
  return end instanceof UiError ? end : new UiError(end.final ? "unauthorized" : "closed", end.message);
}

function lineOf(message: object): string {
  try {
    return encode(message);
  } catch (error) {
    throw new UiError("invalid", (error as Error).message);
  }
}
