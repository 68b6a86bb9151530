import { useState } from "react";
import type { Page } from "../../api/backend.ts";
import { listFor } from "../../api/list-request.ts";
import type { ListOperation, Resource } from "../../descriptor.ts";
import { type Load, useLoad } from "../use-load.ts";
import { useWorkspace } from "../workspace.tsx";
import { backendQuery, isSearchedByApi, type ListState } from "./list-state.ts";

/** The list of a resource that knows the filters that are set. */
export function listOf(resource: Resource, state: ListState): ListOperation | undefined {
  return listFor(resource, { filters: state.filters, page: 0, pageSize: 0 });
}

const manyRows = 100;

function largestPage({ paging }: ListOperation): number {
  return paging && "maxSize" in paging ? (paging.maxSize ?? manyRows) : manyRows;
}

export interface LoadedRows extends Load<Page> {
  /** The page that is shown: the first, if the way to the wanted one is not known. */
  page: number;
}

/**
 * The rows of a state. Where pages are found by cursors only, those of this visit are remembered,
 * so that one can go back.
 */
export function useRows(
  resource: Resource,
  list: ListOperation,
  state: ListState,
  /** Another number loads again. */
  edition = 0,
): LoadedRows {
  const { backend, memory, revision, descriptor } = useWorkspace();
  const { page: wanted, ...what } = state;
  const base = JSON.stringify([revision, edition, resource.id, what]);
  const [trail, setTrail] = useState<{ base: string; cursors: Map<number, string> }>({
    base,
    cursors: new Map(),
  });
  const cursors = trail.base === base ? trail.cursors : new Map<number, string>();
  const isNumbered = list.paging?.kind === "page" || list.paging?.kind === "offset";
  // What has no pages comes whole, whichever part of it is shown.
  const page = isNumbered || cursors.has(wanted) ? wanted : 0;
  const cursor = cursors.get(page);
  const load = useLoad(`${base} ${page}`, async (signal) => {
    // Without controls for pages, the first one is all that there is to see.
    const pageSize = descriptor.settings.pagination ? state.pageSize : largestPage(list);
    const search = isSearchedByApi(resource, list) ? state.search : "";
    const query = backendQuery(list, { ...state, search, page, pageSize }, cursor);
    const loaded = await backend.list(resource, state.scope, query, signal);
    memory.remember(resource, state.scope, loaded.rows);
    const { next } = loaded;
    if (next !== undefined) setTrail({ base, cursors: new Map(cursors).set(page + 1, next) });
    return loaded;
  });
  return { ...load, page: list.paging ? page : wanted };
}
