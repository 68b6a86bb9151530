import { useState } from "react";
import type { Page, Row } from "../../api/backend.ts";
import { keyOf, titleOf } from "../../api/record.ts";
import type { Field, ListOperation, Paging, Resource, RowRule } from "../../descriptor.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import type { RecordCommands } from "../record-commands.tsx";
import type { Route, RouteQuery } from "../route.ts";
import { Failure, SkeletonTable } from "../states.tsx";
import { RecordFields } from "../values/record-fields.tsx";
import { useWorkspace } from "../workspace.tsx";
import { isSearchedByApi, type ListState, pageSizeOf } from "./list-state.ts";
import { NoMatches, NoRows, NoSuchPage } from "./no-rows.tsx";
import { Pager } from "./pager.tsx";
import { rangeText } from "./paging-text.ts";
import { RecordBoard } from "./record-board.tsx";
import { RecordCards } from "./record-cards.tsx";
import { type RecordRowsProps, RecordTable } from "./record-table.tsx";
import { narrowedRows, setNarrowing } from "./row-rules.ts";
import { isSortedByApi, nextSort, searchedRows, sortedRows } from "./sorting.ts";
import { type LoadedRows, useRows } from "./use-rows.ts";

export interface ListRowsProps {
  resource: Resource;
  list: ListOperation;
  state: ListState;
  /** Those that the API was not asked for. */
  rules: RowRule[];
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
  return <LoadedList {...props} loaded={loaded} page={loaded.value} />;
}

function LoadedList(props: ListRowsProps & { loaded: LoadedRows; page: Page }) {
  const { resource, state, commands, onChange, loaded, page } = props;
  const [most, setMost] = useState(rowsAtFirst);
  const [opened, setOpened] = useState<Row>();
  const { rows, notes } = foundRows(props);
  const paging = usePaging(props);
  const part = paging && !props.list.paging ? partOfRows(rows, props) : undefined;
  const shown = part?.rows ?? rows.slice(0, most);
  const hasCommands = resource.key && page.rows.some((row) => commands.of(row).length > 0);
  if (page.rows.length === 0 || (rows.length > 0 && shown.length === 0)) {
    return <NoSuchPage onFirst={() => onChange({ page: 0 }, false)} />;
  }
  return (
    <>
      {rows.length === 0 && <NoMatches resource={resource} state={state} onChange={onChange} />}
      {rows.length > 0 && (
        <RowsView
          {...props}
          rows={shown}
          routeTo={(row) => recordRoute(resource, row, state.scope)}
          onOpen={setOpened}
          commandsOf={hasCommands ? commands.of : undefined}
          stale={loaded.loading}
        />
      )}
      {!part && rows.length > most && (
        <Button onClick={() => setMost(most + rowsAtFirst)}>
          Show more ({rows.length - most})
        </Button>
      )}
      {notes.length > 0 && <p className="list-note">{notes.join(" ")}</p>}
      {paging ? (
        <Pager
          paging={paging}
          page={loaded.page}
          pageSize={pageSizeOf(props.list, state)}
          loaded={part ?? page}
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

/** How the pages of a list are found, also pages of our own for one that comes whole. */
function usePaging({ list, resource }: ListRowsProps): Paging | undefined {
  const { settings } = useWorkspace().descriptor;
  const { pageSize } = resource;
  if (!settings.pagination || list.paging || pageSize === undefined) {
    return settings.pagination ? list.paging : undefined;
  }
  return { kind: "page", param: "page", sizeParam: "size", first: 0, size: pageSize };
}

function partOfRows(rows: Row[], props: ListRowsProps & { loaded: LoadedRows }): Page {
  const size = pageSizeOf(props.list, props.state);
  const end = (props.loaded.page + 1) * size;
  return { rows: rows.slice(end - size, end), total: rows.length, hasNext: end < rows.length };
}

/** The rows by the view that is wanted. */
function RowsView({ list, state, onChange, ...rows }: ListRowsProps & RecordRowsProps) {
  const { view } = rows.resource;
  if (view?.as === "cards") return <RecordCards {...rows} />;
  if (view?.as === "board") return <RecordBoard {...rows} by={view.by} />;
  return (
    <RecordTable
      {...rows}
      caption={rows.resource.plural}
      sort={state.sort}
      onSort={(field) => onChange({ sort: nextSort(list, field, state.sort) })}
    />
  );
}

/** What is left to be done with the rows that the API gave, and what to say if they are not all. */
function foundRows(props: ListRowsProps & { loaded: LoadedRows; page: Page }) {
  const { resource, list, state, rules, loaded, page } = props;
  const isOurSearch = state.search !== "" && !isSearchedByApi(resource, list);
  const isOurOrder = state.sort !== undefined && !isSortedByApi(list, state.sort);
  const isNarrowed = rules.length > 0 || setNarrowing(resource, state).length > 0;
  const narrowed = narrowedRows(resource, page.rows, state, rules);
  const found = isOurSearch ? searchedRows(narrowed, state.search, resource) : narrowed;
  const isPart = page.hasNext || (loaded.page > 0 && list.paging !== undefined);
  const notes = [
    isOurOrder && "Only the rows of this page are sorted: the API cannot sort by this.",
    isOurSearch && "Only the rows of this page were searched.",
    isNarrowed && "Only the rows of this page were filtered: the API cannot filter by this.",
  ];
  return {
    rows: isOurOrder ? sortedRows(found, state.sort) : found,
    notes: notes.filter((note) => isPart && note !== false),
  };
}

export function recordRoute(resource: Resource, row: Row, scope: RouteQuery): Route | undefined {
  const key = keyOf(resource, row);
  if (key === undefined) return undefined;
  return { page: "record", resource: resource.id, key, query: scope };
}
