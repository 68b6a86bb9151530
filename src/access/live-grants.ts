import { isDeepStrictEqual } from "node:util";
import { DragomanError } from "../core/errors.ts";
import { type Grant, newEnd } from "./grant.ts";
import { isExpired, type TokenRecord } from "./token-record.ts";

interface Live {
  record: TokenRecord;
  grant: Grant;
  end: AbortController;
}

/** The grants that were given for tokens of this book, one for each token: all that is open with it ends with it. */
export class LiveGrants {
  readonly #live = new Map<string, Live>();

  of(record: TokenRecord): Grant {
    const known = this.#live.get(record.id);
    if (known) return known.grant;
    const end = newEnd();
    const { id, name, roles } = record;
    const grant = { caller: { id, name, roles }, revoked: end.signal };
    this.#live.set(id, { record, grant, end });
    return grant;
  }

  /** Ends those whose token is not among these any more, or is another one. */
  keep(records: TokenRecord[]): void {
    const current = new Map(records.map((record) => [record.id, record]));
    this.#endWhere((record) => !isDeepStrictEqual(current.get(record.id), record));
  }

  endExpired(now: number): void {
    this.#endWhere((record) => isExpired(record, now));
  }

  #endWhere(isOver: (record: TokenRecord) => boolean): void {
    for (const { record, end } of [...this.#live.values()].filter(({ record }) => isOver(record))) {
      this.#live.delete(record.id);
      end.abort(ended(record.name));
    }
  }
}

const ended = (name: string) =>
  new DragomanError("unauthorized", `The token "${name}" is not valid any more. Sign in with another one.`);
