import { afterAll, beforeAll, describe } from "vitest";
import type { Store } from "../core/store.ts";
import { appendContract } from "./append-contract.ts";
import { artifactContract } from "./artifact-contract.ts";
import { closedContract } from "./closed-contract.ts";
import { leaseContract } from "./lease-contract.ts";
import { mailboxContract } from "./mailbox-contract.ts";
import { modelContract } from "./model-contract.ts";
import { presenceContract } from "./presence-contract.ts";
import { processRecordsContract } from "./process-records-contract.ts";
import { pruneContract } from "./prune-contract.ts";
import { readContract } from "./read-contract.ts";
import { runPlaceContract } from "./run-place-contract.ts";
import { sessionsContract } from "./sessions-contract.ts";
import { summaryContract } from "./summary-contract.ts";
import { wakeContract } from "./wake-contract.ts";

export interface OpenStore {
  store: Store;
  /** Closes the store and opens it again; left out when nothing outlives it. */
  reopen?(): Promise<Store>;
  /** Removes what the store left behind. */
  remove(): void;
}

/** What every store promises. A store's own test calls this and adds what only that store can get wrong. */
export function storeContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name} store`, () => {
    let opened: OpenStore;

    beforeAll(async () => {
      opened = await open();
    });

    afterAll(async () => {
      await opened.store.close();
      opened.remove();
    });

    const store = () => opened.store;
    appendContract(store);
    artifactContract(store);
    leaseContract(store);
    presenceContract(store);
    mailboxContract(store);
    processRecordsContract(store);
    readContract(store);
    wakeContract(store);
    summaryContract(store);
    sessionsContract(store);
    runPlaceContract(store);
    modelContract(store);
  });

  pruneContract(name, open);
  closedContract(name, open);
}
