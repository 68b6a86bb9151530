import type { Row, ScopeValues } from "../api/backend.ts";
import { keyOf } from "../api/record.ts";
import type { Resource } from "../descriptor.ts";

export interface SeenRecord {
  key: string;
  row: Row;
  scope: ScopeValues;
}

/** What was seen and chosen during this visit. It is gone with the page. */
export interface VisitMemory {
  remember(resource: Resource, scope: ScopeValues, rows: Row[]): void;
  forget(resource: Resource, scope: ScopeValues, key: string): void;
  recall(resource: Resource, scope: ScopeValues, key: string): Row | undefined;
  /** The latest first. */
  seen(resource: Resource): SeenRecord[];
  columns(resource: Resource): string[] | undefined;
  chooseColumns(resource: Resource, columns: string[]): void;
  /** Whether all rows are wanted, though there are rules which to show. */
  seesAll(resource: Resource): boolean;
  seeAll(resource: Resource, all: boolean): void;
}

const mostRecordsPerResource = 200;

export function createVisitMemory(): VisitMemory {
  const records = new Map<string, Map<string, SeenRecord>>();
  const columns = new Map<string, string[]>();
  const all = new Set<string>();
  const recordsOf = (resource: Resource) => {
    const known = records.get(resource.id) ?? new Map<string, SeenRecord>();
    records.set(resource.id, known);
    return known;
  };
  return {
    remember(resource, scope, rows) {
      const known = recordsOf(resource);
      for (const row of rows) {
        const key = keyOf(resource, row);
        if (key === undefined) continue;
        const place = memoryPlace(scope, key);
        known.delete(place); // so that it becomes the latest
        known.set(place, { key, row, scope });
      }
      for (const oldest of [...known.keys()].slice(0, -mostRecordsPerResource)) {
        known.delete(oldest);
      }
    },
    forget: (resource, scope, key) => recordsOf(resource).delete(memoryPlace(scope, key)),
    recall: (resource, scope, key) => recordsOf(resource).get(memoryPlace(scope, key))?.row,
    seen: (resource) => [...recordsOf(resource).values()].reverse(),
    columns: (resource) => columns.get(resource.id),
    chooseColumns: (resource, names) => columns.set(resource.id, names),
    seesAll: (resource) => all.has(resource.id),
    seeAll: (resource, wanted) => (wanted ? all.add(resource.id) : all.delete(resource.id)),
  };
}

/** Issue 1 of one repository is not issue 1 of another. */
function memoryPlace(scope: ScopeValues, key: string): string {
  return JSON.stringify([Object.entries(scope).sort(), key]);
}
