import { useState } from "react";
import { type JsonObject, propertyOf } from "../../api/json.ts";
import type { Field, Json } from "../../descriptor.ts";
import { Button } from "../button.tsx";
import { FieldValue } from "./field-value.tsx";
import { isNoValue } from "./plain-text.tsx";

const mostColumns = 6;
const rowsAtOnce = 20;

/** The objects of a list, as a table of their simple parts. */
export function ObjectTable({ field, label, rows }: { field: Field; label: string; rows: Json[] }) {
  const [shown, setShown] = useState(rowsAtOnce);
  const columns = tableColumns(field.fields ?? [], rows);
  return (
    <>
      {/* It may scroll, and holds nothing that could take the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs */}
      <div className="table-frame" role="group" aria-label={label} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nothing says what names one of them
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column.name} data-label={column.label}>
                    <FieldValue field={column} value={propertyOf(row, column.name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown && (
        <Button size="small" onClick={() => setShown(shown + 100)}>
          Show more ({rows.length - shown})
        </Button>
      )}
    </>
  );
}

/** The values of a map beside their names. */
export function MapView({ field, value }: { field: Field; value: JsonObject }) {
  const item: Field = field.item ?? { name: "", label: "", kind: "json" };
  return (
    <dl className="map-view">
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <FieldValue field={item} value={one} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Simple parts first, of which at least one row has something. */
function tableColumns(fields: Field[], rows: Json[]): Field[] {
  const visible = fields.filter((field) => !field.writeOnly);
  const filled = visible.filter(({ name }) =>
    rows.some((row) => !isNoValue(propertyOf(row, name))),
  );
  const simple = filled.filter((field) => !["object", "map", "json"].includes(field.kind));
  const [columns = visible] = [simple, filled].filter((some) => some.length > 0);
  return columns.slice(0, mostColumns);
}
