import { useState } from "react";
import type { Row } from "../../api/backend.ts";
import { keyOf, titleOf } from "../../api/record.ts";
import type { Field, ListOperation, Resource } from "../../descriptor.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import type { RecordCommands } from "../record-commands.tsx";
import type { Route, RouteQuery } from "../route.ts";
import { Failure, SkeletonTable } from "../states.tsx";
import { RecordFields } from "../values/record-fields.tsx";
import { useWorkspace } from "../workspace.tsx";
import { type ListState, pageSizeOf } from "./list-state.ts";
import { NoMatches, NoRows, NoSuchPage } from "./no-rows.tsx";
import { Pager } from "./pager.tsx";
import { rangeText } from "./paging-text.ts";
import { RecordTable } from "./record-table.tsx";
import { isSortedByApi, nextSort, searchedRows, sortedRows } from "./sorting.ts";
import { type LoadedRows, useRows } from "./use-rows.ts";

export interface ListRowsProps {
  resource: Resource;
  list: ListOperation;
  state: ListState;
  columns: Field[];
  commands: RecordCommands;
  edition: number;
  onChange: (change: Partial<ListState>, replace?: boolean) => void;
}

const rowsAtFirst = 100;

/** The rows of a list in each of its states: loading, failed, empty, or there. */
export function ListRows(props: ListRowsProps) {
  const { resource, list, state, columns, edition, onChange } = props;
  const loaded = useRows(resource, list, state, edition);
  if (loaded.error) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (!loaded.value) return <SkeletonTable columns={columns.length} />;
  if (loaded.value.rows.length === 0 && loaded.page === 0) {
    return <NoRows resource={resource} state={state} onChange={onChange} />;
  }
  return <LoadedTable {...props} loaded={loaded} />;
}

function LoadedTable({
  resource,
  list,
  state,
  columns,
  commands,
  onChange,
  loaded,
}: ListRowsProps & { loaded: LoadedRows }) {
  const { settings } = useWorkspace().descriptor;
  const [most, setMost] = useState(rowsAtFirst);
  const [opened, setOpened] = useState<Row>();
  const page = loaded.value ?? { rows: [], hasNext: false };
  const found = list.search ? page.rows : searchedRows(page.rows, state.search);
  const isOurOrder = state.sort !== undefined && !isSortedByApi(list, state.sort);
  const rows = isOurOrder ? sortedRows(found, state.sort) : found;
  const isPart = page.hasNext || loaded.page > 0;
  const hasCommands = resource.key && page.rows.some((row) => commands.of(row).length > 0);
  if (rows.length === 0 && state.search !== "") {
    return <NoMatches resource={resource} state={state} onChange={onChange} />;
  }
  if (rows.length === 0) return <NoSuchPage onFirst={() => onChange({ page: 0 }, false)} />;
  return (
    <>
      <RecordTable
        resource={resource}
        columns={columns}
        rows={rows.slice(0, most)}
        caption={resource.plural}
        sort={state.sort}
        onSort={(field) => onChange({ sort: nextSort(list, field, state.sort) })}
        routeTo={(row) => recordRoute(resource, row, state.scope)}
        onOpen={setOpened}
        commandsOf={hasCommands ? commands.of : undefined}
        stale={loaded.loading}
      />
      {rows.length > most && (
        <Button onClick={() => setMost(most + rowsAtFirst)}>
          Show more ({rows.length - most})
        </Button>
      )}
      {isOurOrder && isPart && (
        <p className="list-note">
          Only the rows of this page are sorted: the API cannot sort by this.
        </p>
      )}
      {list.paging && settings.pagination ? (
        <Pager
          paging={list.paging}
          page={loaded.page}
          pageSize={pageSizeOf(list, state)}
          loaded={page}
          loading={loaded.loading}
          onPage={(next) => onChange({ page: next }, false)}
          onPageSize={(pageSize) => onChange({ pageSize })}
        />
      ) : (
        <p className="list-note">{rangeText(0, rows.length, page.total ?? rows.length)}</p>
      )}
      {opened && (
        <Dialog title={titleOf(resource, opened)} onClose={() => setOpened(undefined)}>
          <RecordFields fields={resource.fields} record={opened} />
        </Dialog>
      )}
    </>
  );
}

export function recordRoute(resource: Resource, row: Row, scope: RouteQuery): Route | undefined {
  const key = keyOf(resource, row);
  if (key === undefined) return undefined;
  return { page: "record", resource: resource.id, key, query: scope };
}
