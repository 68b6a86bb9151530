import { ApiError, type Row, type ScopeValues } from "../api/backend.ts";
import { setProperty } from "../api/json.ts";
import { keyOf } from "../api/record.ts";
import type { Resource } from "../descriptor.ts";
import { type Load, useLoad } from "./use-load.ts";
import { useWorkspace } from "./workspace.tsx";

/** One record: at once as it was last seen, then as the API has it now. */
export function useRecord(
  resource: Resource,
  scope: ScopeValues,
  key: string | undefined,
): Load<Row> {
  const { backend, memory } = useWorkspace();
  const recall = () => (key === undefined ? undefined : memory.recall(resource, scope, key));
  const what = JSON.stringify([resource.id, scope, key ?? null]);
  const load = useLoad(what, async (signal) => {
    const seen = resource.detail ? undefined : recall();
    if (seen) return seen;
    if (!resource.detail && resource.lists.length === 0) {
      throw new ApiError("notFound", `The API has no way to look up ${resource.plural}.`);
    }
    const row = withKey(resource, await backend.get(resource, scope, key, signal), key);
    memory.remember(resource, scope, [row]);
    return row;
  });
  return { ...load, value: load.value ?? recall() };
}

/** A record that does not name itself is still the one that was asked for. */
function withKey(resource: Resource, row: Row, key: string | undefined): Row {
  if (key === undefined || !resource.key || keyOf(resource, row) !== undefined) return row;
  const named = { ...row };
  setProperty(named, resource.key.field, key);
  return named;
}
