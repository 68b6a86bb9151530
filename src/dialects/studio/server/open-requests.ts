import { BoundedMap } from "../../bounded-map.ts";
import type { RpcId } from "../../json-rpc.ts";

interface OpenRequest {
  runId: string;
  /** The session of its run, and the stamp by which the fold knows it. */
  sessionId: string;
  stamp: string;
}

/** The requests that are answered by the ends of their runs. */
export class OpenRequests {
  readonly #byId = new Map<RpcId, OpenRequest>();
  /** Those that were answered, the latest under each id. */
  readonly #answered = new BoundedMap<OpenRequest>();

  add(id: RpcId, request: OpenRequest): void {
    this.#byId.set(id, request);
  }

  get(id: RpcId): OpenRequest | undefined {
    return this.#byId.get(id);
  }

  /** One that is over. Those of long ago are forgotten. */
  answered(id: RpcId): OpenRequest | undefined {
    return this.#answered.get(JSON.stringify(id));
  }

  remove(id: RpcId): void {
    this.#byId.delete(id);
  }

  /** Whether it is open under that stamp; it is answered then. An answer comes again when a part of the log is read again. */
  answer(id: RpcId, stamp: string): boolean {
    const request = this.#byId.get(id);
    if (request?.stamp !== stamp) return false;
    this.#byId.delete(id);
    this.#answered.take(JSON.stringify(id)); // so that it is the newest of all
    this.#answered.set(JSON.stringify(id), request);
    return true;
  }

  /** Those under a stamp. */
  under(stamp: string): RpcId[] {
    return [...this.#byId].flatMap(([id, request]) => (request.stamp === stamp ? [id] : []));
  }
}
