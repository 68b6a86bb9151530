import { DragomanError } from "../../../core/errors.ts";
import { isUuid } from "../../../core/ids.ts";
import type { Caller } from "../../../core/roles.ts";
import type { Store } from "../../../core/store.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { ServedFolder } from "../../served-folder.ts";

/** A run, by whatever it was started, and where it is. */
export interface Found {
  operationId: string;
  sessionId: string;
  /** Of the event with which it began, or with which it was put in the queue. */
  seq: number;
  summary: SessionSummary;
}

/** Finds runs of the served folder by their ids. Those of other folders are there for whoever may do everything. */
export class FoundOperations {
  readonly #store: Store;
  readonly #served: ServedFolder;

  constructor(store: Store, workspace: string) {
    this.#store = store;
    this.#served = new ServedFolder(workspace);
  }

  async find(operationId: string, caller: Caller): Promise<Found> {
    const place = isUuid(operationId) ? await this.#store.runPlace(operationId) : undefined;
    const summary = place && (await this.#store.session(place.sessionId));
    // Whether there is something elsewhere is not told.
    if (!place || !summary || !(await this.#served.admits(summary.workspace, caller))) throw notFound();
    return { operationId, ...place, summary };
  }
}

export function notFound(): DragomanError {
  const advice = "GET /api/v1/operations?feature=… names those of a feature.";
  return new DragomanError("run_not_found", `There is no operation of that id, or it was removed. ${advice}`);
}
