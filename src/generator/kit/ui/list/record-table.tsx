import type { MouseEvent, ReactNode } from "react";
import type { Row } from "../../api/backend.ts";
import { formatValue } from "../../api/format.ts";
import { fieldValue, keyOf } from "../../api/record.ts";
import type { Field, Json, Resource } from "../../descriptor.ts";
import { Icon } from "../icon.tsx";
import { Menu, type MenuItem } from "../menu.tsx";
import type { Route } from "../route.ts";
import { Link, useRouter } from "../router.tsx";
import { FieldValue } from "../values/field-value.tsx";
import { isNoValue, PlainText } from "../values/plain-text.tsx";
import { asFormatted, seenAs } from "../values/seen-as.ts";
import type { RowSort } from "./sorting.ts";

/** What every view of rows is given. */
export interface RecordRowsProps {
  resource: Resource;
  columns: Field[];
  rows: Row[];
  /** Where a row leads; undefined if it has no page of its own. */
  routeTo: (row: Row) => Route | undefined;
  onOpen: (row: Row) => void;
  commandsOf?: (row: Row) => MenuItem[];
  /** Something newer is being loaded. */
  stale?: boolean;
}

/** Rows as a table that opens a record wherever it is clicked; on phones as cards. */
export function RecordTable({
  resource,
  columns,
  rows,
  caption,
  sort,
  onSort,
  routeTo,
  onOpen,
  commandsOf,
  stale = false,
}: RecordRowsProps & {
  caption: string;
  sort?: RowSort;
  /** Undefined: the order is what it is. */
  onSort?: (field: string) => void;
}) {
  return (
    <div className="table-frame" data-stale={stale || undefined} aria-busy={stale || undefined}>
      <table className="table table-records">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
            {commandsOf && (
              <th scope="col" className="cell-commands">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <RecordRow
              key={keyOf(resource, row) ?? index}
              row={row}
              columns={columns}
              to={routeTo(row)}
              onOpen={() => onOpen(row)}
              commands={commandsOf?.(row)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HeaderCell({
  column,
  sort,
  onSort,
}: {
  column: Field;
  sort?: RowSort;
  onSort?: (field: string) => void;
}) {
  const isSorted = sort?.field === column.name;
  const direction = sort?.descending ? "descending" : "ascending";
  return (
    <th scope="col" className={cellClass(column)} aria-sort={isSorted ? direction : undefined}>
      {onSort ? (
        <button type="button" className="sort" onClick={() => onSort(column.name)}>
          <span>{column.label}</span>
          <span className="sort-mark" data-sorted={isSorted || undefined}>
            <Icon name={isSorted && sort?.descending ? "arrowDown" : "arrowUp"} size={12} />
          </span>
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

function RecordRow({
  row,
  columns,
  to,
  onOpen,
  commands,
}: {
  row: Row;
  columns: Field[];
  to: Route | undefined;
  onOpen: () => void;
  commands?: MenuItem[];
}) {
  const openByClick = useOpenByClick(to, onOpen);
  return (
    // The first cell holds a real link; the rest of the row is only a larger target for a mouse.
    <tr className="record-row" onClick={openByClick}>
      {columns.map((column, index) => (
        <td key={column.name} className={cellClass(column)} data-label={column.label}>
          <div className="cell" title={cellTitle(column, fieldValue(row, column.name))}>
            {index === 0 ? (
              <RowLink to={to} onOpen={onOpen}>
                <FieldText column={column} row={row} to={to} />
              </RowLink>
            ) : (
              <FieldValue field={column} value={fieldValue(row, column.name)} />
            )}
          </div>
        </td>
      ))}
      {commands && (
        <td className="cell-commands">
          <RowMenu commands={commands} />
        </td>
      )}
    </tr>
  );
}

export function RowMenu({ commands = [] }: { commands?: MenuItem[] }) {
  if (commands.length === 0) return null;
  return (
    <Menu label="Actions" items={commands}>
      <Icon name="more" />
    </Menu>
  );
}

/** A click anywhere opens the record, unless it is on something else or selects text. */
export function useOpenByClick(to: Route | undefined, onOpen: () => void) {
  const router = useRouter();
  return (event: MouseEvent) => {
    const isOnControl = event.target instanceof Element && event.target.closest("a, button, input");
    const isSelecting = window.getSelection()?.toString() !== "";
    if (isOnControl || isSelecting) return;
    if (to) router.navigate(to);
    else onOpen();
  };
}

/** The first cell is a link itself, so it must not hold another one, and must say something. */
function FieldText({ column, row, to }: { column: Field; row: Row; to: Route | undefined }) {
  const value = fieldValue(row, column.name);
  if (isNoValue(value) && to && "key" in to) return <PlainText text={to.key ?? ""} />;
  const field = seenAs(column, value);
  const isLink = field.relation || field.kind === "url" || field.kind === "email";
  return isLink ? formatValue(column, value) : <FieldValue field={field} value={value} />;
}

/** What may be cut off can be read as a tooltip. */
function cellTitle(column: Field, value: Json | undefined): string | undefined {
  const text = typeof value === "string" ? formatValue(column, value) : "";
  return text.length > 32 ? text : undefined;
}

export function RowLink({
  to,
  onOpen,
  children,
}: {
  to: Route | undefined;
  onOpen: () => void;
  children: ReactNode;
}) {
  if (to) {
    return (
      <Link to={to} className="row-link">
        {children}
      </Link>
    );
  }
  return (
    <button type="button" className="row-link link" onClick={onOpen}>
      {children}
    </button>
  );
}

function cellClass(described: Field): string | undefined {
  const column = asFormatted(described);
  if (column.kind === "longText") return "cell-prose";
  const isNumber = column.kind === "integer" || column.kind === "number";
  return isNumber && !column.relation ? "cell-number" : undefined;
}
