import type { Worker } from "node:worker_threads";
import { DragomanError } from "../core/errors.ts";
import { startThread } from "../core/start-thread.ts";
import type { CallArguments, CallName, CallResult } from "./sqlite-calls.ts";
import { storeFailed } from "./sqlite-error.ts";
import type { Appended, AppendRequest, Failure, Reply, Request, WriterData, WriterMessage } from "./sqlite-requests.ts";

/** What is this large does not wait for others: the thread works on it while this one goes on. */
const LARGE_BYTES = 32 * 1024;

interface Waiting {
  resolve(reply: Exclude<Reply, Failure>): void;
  reject(error: DragomanError): void;
}

/** This process's end of the writer: sends what is asked in one turn of the event loop in one message, and gives out the replies. */
export class WriterThread {
  readonly #path: string;
  readonly #worker: Worker;
  readonly #exit: Promise<void>;
  #outgoing: Request[] = [];
  #transfer: ArrayBuffer[] = [];
  #meanwhile: (() => void)[] = [];
  #waiting: Waiting[] = [];
  #closed = false;
  #ended = false;

  /** Resolves when the file is open and of the newest version. */
  static async open(data: WriterData): Promise<WriterThread> {
    const worker = startThread(import.meta.url, "sqlite-writer", { workerData: data });
    const message = await new Promise<WriterMessage>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", (error) => reject(storeFailed(data.path, error.message)));
      worker.once("exit", () => reject(storeFailed(data.path, "its writer thread did not start")));
    });
    if (message !== "ready") throw asError(message as Failure);
    return new WriterThread(data.path, worker);
  }

  private constructor(path: string, worker: Worker) {
    this.#path = path;
    this.#worker = worker;
    this.#exit = new Promise((resolve) => worker.once("exit", () => resolve()));
    worker.on("message", (replies: Reply[]) => this.#settle(replies));
    worker.once("error", (error) => this.#abandon(`its writer thread stopped (${error.message})`));
    worker.once("exit", () => this.#abandon("its writer thread has stopped"));
    worker.unref();
  }

  /** `meanwhile` is called when the request is on its way, for work that can be done while the thread does its own. */
  append(request: AppendRequest, transfer: ArrayBuffer[], meanwhile: () => void): Promise<Appended> {
    return this.#send(request, transfer, meanwhile) as Promise<Appended>;
  }

  async call<N extends CallName>(call: N, ...args: CallArguments<N>): Promise<CallResult<N>> {
    const { value } = (await this.#send({ call, args })) as { value: CallResult<N> };
    return value;
  }

  /** Gives the disk what is free in the file. */
  async compact(): Promise<void> {
    await this.#send("compact");
  }

  #send(request: Request, transfer: ArrayBuffer[] = [], meanwhile?: () => void): Promise<Exclude<Reply, Failure>> {
    if (this.#closed || this.#ended) return Promise.reject(this.#unusable());
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#worker.ref();
      this.#waiting.push({ resolve, reject });
      if (meanwhile) this.#meanwhile.push(meanwhile);
      this.#post(request, transfer);
    });
  }

  /** Finishes what was sent before. */
  async close(): Promise<void> {
    if (!this.#closed && !this.#ended) {
      this.#closed = true;
      this.#worker.ref();
      this.#post("close");
    }
    await this.#exit;
  }

  #post(request: Request, transfer: ArrayBuffer[] = []): void {
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(request);
    this.#transfer.push(...transfer);
    if (bytesOf(request) > LARGE_BYTES) this.#flush();
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    const [requests, transfer, meanwhile] = [this.#outgoing, this.#transfer, this.#meanwhile];
    [this.#outgoing, this.#transfer, this.#meanwhile] = [[], [], []];
    this.#worker.postMessage(requests, transfer);
    for (const work of meanwhile) work();
  }

  #settle(replies: Reply[]): void {
    const answered = this.#waiting.splice(0, replies.length);
    for (const [i, { resolve, reject }] of answered.entries()) {
      const reply = replies[i] as Reply;
      if (typeof reply === "object" && "code" in reply) reject(asError(reply));
      else resolve(reply);
    }
    if (this.#waiting.length === 0 && !this.#closed) this.#worker.unref();
  }

  /** Whether their events were written nobody can tell any more; that they were not acknowledged is certain. */
  #abandon(reason: string): void {
    this.#ended = true;
    const waiting = this.#waiting.splice(0);
    for (const { reject } of waiting) reject(storeFailed(this.#path, reason));
  }

  #unusable(): DragomanError {
    if (this.#closed) return new DragomanError("store_failed", "the store is closed");
    return storeFailed(this.#path, "its writer thread has stopped");
  }
}

const bytesOf = (request: Request) => (typeof request === "object" && "bytes" in request ? request.bytes : 0);

const asError = ({ code, message }: Failure) => new DragomanError(code, message);
