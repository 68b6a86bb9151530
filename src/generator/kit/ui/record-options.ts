import type { Page } from "../api/backend.ts";
import { keyOf, titleOf } from "../api/record.ts";
import type { Resource } from "../descriptor.ts";
import type { RouteQuery } from "./route.ts";
import { useRouter } from "./router.tsx";
import { scopeOf } from "./scope.ts";
import { useLoad } from "./use-load.ts";
import { useWorkspace } from "./workspace.tsx";

/** A record that can be chosen. */
export interface RecordOption {
  key: string;
  title: string;
}

const mostOptions = 50;

/**
 * Records to choose from: found by the API if it can search, or else its first ones. Nothing is
 * loaded while there is no search.
 */
export function useRecordOptions(
  related: Resource,
  query: RouteQuery,
  search: string | undefined,
): { options: RecordOption[]; loading: boolean } {
  const { backend, memory } = useWorkspace();
  const list = related.lists[0];
  const scope = scopeOf(related, query);
  const asked = search === undefined ? "nothing" : list?.search ? `search ${search}` : "first";
  const load = useLoad<Page>(asked, async (signal) => {
    if (search === undefined) return { rows: [], hasNext: false };
    const text = list?.search && search ? { search } : {};
    const page = await backend.list(
      related,
      scope,
      { filters: {}, page: 0, pageSize: mostOptions, ...text },
      signal,
    );
    memory.remember(related, scope, page.rows);
    return page;
  });
  return { options: optionsOf(related, load.value?.rows ?? []), loading: load.loading };
}

function optionsOf(related: Resource, rows: Page["rows"]): RecordOption[] {
  return rows.flatMap((row) => {
    const key = keyOf(related, row);
    return key === undefined ? [] : [{ key, title: titleOf(related, row) }];
  });
}

/** Those that hold the text; what was typed itself comes last, in case it is a key. */
export function matchingOptions(options: RecordOption[], search: string): RecordOption[] {
  const wanted = search.trim().toLowerCase();
  const matching = options.filter((option) =>
    `${option.title} ${option.key}`.toLowerCase().includes(wanted),
  );
  const typed = search.trim();
  if (!typed || options.some((option) => option.key === typed)) return matching;
  return [...matching, { key: typed, title: `Use “${typed}”` }];
}

/** What the record with this key is called. It is asked for if it was not seen yet. */
export function useRecordTitle(related: Resource, key: string): string | undefined {
  const { backend, memory } = useWorkspace();
  const { route } = useRouter();
  const scope = "query" in route ? scopeOf(related, route.query) : {};
  const seen = memory.recall(related, scope, key);
  const canAsk = key !== "" && !seen && related.detail && !related.scopes?.length;
  const { value } = useLoad(canAsk ? `${related.id} ${key}` : "", async (signal) => {
    if (!canAsk) return undefined;
    const row = await backend.get(related, {}, key, signal);
    memory.remember(related, {}, [row]);
    return { key, title: titleOf(related, row) };
  });
  if (seen) return titleOf(related, seen);
  return value?.key === key ? value.title : undefined;
}
