import type { Store } from "../core/store.ts";
import { memoryStore } from "./memory.ts";
import { openSqliteStore } from "./sqlite.ts";

/** Every store by its name; `path` says where it keeps its logs, for those that need to be told. */
export const stores = {
  memory: async () => memoryStore(),
  sqlite: (path) => openSqliteStore(path),
} satisfies Record<string, (path: string) => Promise<Store>>;
