import type { Row } from "../../api/backend.ts";
import { formatValue } from "../../api/format.ts";
import { fieldNamed, fieldValue } from "../../api/record.ts";
import type { Field, Json } from "../../descriptor.ts";
import { FieldValue } from "../values/field-value.tsx";
import { CardList } from "./record-cards.tsx";
import type { RecordRowsProps } from "./record-table.tsx";
import { fitsRules } from "./row-rules.ts";

export interface BoardColumn {
  title: string;
  value: Json;
  rows: Row[];
}

/** Rows as cards in columns, one for each value of a field. */
export function RecordBoard(props: RecordRowsProps & { by: string }) {
  const { resource, rows, columns, by } = props;
  const field = fieldNamed(resource, by) ?? { name: by, label: by, kind: "text" };
  const shown = columns.filter(({ name }) => name !== by);
  const rules = (resource.rules ?? []).filter((rule) => rule.field === by);
  // What the rules leave out is not missed.
  const isThere = (column: BoardColumn) =>
    column.rows.length > 0 || fitsRules({ [by]: column.value }, rules);
  return (
    <div className="board">
      {boardColumns(field, rows)
        .filter(isThere)
        .map((column) => (
          <section key={column.title} className="board-column" aria-label={column.title}>
            <h2 className="board-title">
              <FieldValue field={{ ...field, relation: undefined }} value={column.value} />
              <span className="board-count">{column.rows.length}</span>
            </h2>
            {column.rows.length > 0 ? (
              <CardList {...props} columns={shown} rows={column.rows} className="board-cards" />
            ) : (
              <p className="board-empty">None</p>
            )}
          </section>
        ))}
    </div>
  );
}

/** The values that there can be, in their order, and then those that there are. */
export function boardColumns(field: Field, rows: Row[]): BoardColumn[] {
  const values = field.kind === "boolean" ? [true, false] : optionValues(field);
  const columns = new Map<string, BoardColumn>();
  const columnOf = (value: Json) => {
    const title = formatValue(field, value) || "Not set";
    const known = columns.get(title) ?? { title, value, rows: [] };
    columns.set(title, known);
    return known;
  };
  for (const value of values) columnOf(value);
  for (const row of rows) columnOf(fieldValue(row, field.name) ?? null).rows.push(row);
  return [...columns.values()];
}

function optionValues({ kind, options = [] }: Field): Json[] {
  return kind === "enum" ? options.map(({ value }) => value) : [];
}
