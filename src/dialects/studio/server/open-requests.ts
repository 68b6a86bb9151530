import type { RpcId } from "../../json-rpc.ts";

export interface OpenRequest {
  runId: string;
  /** The session of its run, and the stamp by which the fold knows it. */
  sessionId: string;
  stamp: string;
}

/** The requests that are answered by the ends of their runs. */
export class OpenRequests {
  readonly #byId = new Map<RpcId, OpenRequest>();

  add(id: RpcId, request: OpenRequest): void {
    this.#byId.set(id, request);
  }

  get(id: RpcId): OpenRequest | undefined {
    return this.#byId.get(id);
  }

  remove(id: RpcId): void {
    this.#byId.delete(id);
  }

  /** Whether it is open under that stamp; it is answered then. An answer comes again when a part of the log is read again. */
  answer(id: RpcId, stamp: string): boolean {
    return this.#byId.get(id)?.stamp === stamp && this.#byId.delete(id);
  }

  /** Those under a stamp. */
  under(stamp: string): RpcId[] {
    return [...this.#byId].flatMap(([id, request]) => (request.stamp === stamp ? [id] : []));
  }
}
