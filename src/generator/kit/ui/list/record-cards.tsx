import type { Row } from "../../api/backend.ts";
import { fieldValue, keyOf, titleOf } from "../../api/record.ts";
import type { Field, Json, Resource } from "../../descriptor.ts";
import { FieldValue } from "../values/field-value.tsx";
import { isNoValue } from "../values/plain-text.tsx";
import { safePicture } from "../values/safe-link.tsx";
import { seenAs } from "../values/seen-as.ts";
import { type RecordRowsProps, RowLink, RowMenu, useOpenByClick } from "./record-table.tsx";

/** Rows as cards: their title, a picture if they have one, and what the columns say. */
export function RecordCards(props: RecordRowsProps) {
  return <CardList {...props} className="record-cards" />;
}

/** A list of cards, laid out by its class. */
export function CardList(props: RecordRowsProps & { className: string }) {
  const { resource, rows, stale, className } = props;
  return (
    <ul className={className} data-stale={stale || undefined} aria-busy={stale || undefined}>
      {rows.map((row, index) => (
        <li key={keyOf(resource, row) ?? index}>
          <RecordCard {...props} row={row} />
        </li>
      ))}
    </ul>
  );
}

function RecordCard(props: RecordRowsProps & { row: Row }) {
  const { resource, columns, row, routeTo, onOpen, commandsOf } = props;
  const to = routeTo(row);
  const open = () => onOpen(row);
  const picture = pictureOf(resource, row);
  const said = columns.filter(
    ({ name }) => name !== resource.title && name !== picture?.field.name,
  );
  return (
    // The title is a real link; the rest of the card is only a larger target for a mouse.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div className="card record-card" onClick={useOpenByClick(to, open)}>
      {picture && <img className="card-picture" src={picture.source} alt="" loading="lazy" />}
      <div className="card-head">
        <RowLink to={to} onOpen={open}>
          {titleOf(resource, row)}
        </RowLink>
        <RowMenu commands={commandsOf?.(row)} />
      </div>
      <dl className="card-facts">
        {said.map((column) => (
          <div key={column.name}>
            <dt>{column.label}</dt>
            <dd>
              <FieldValue field={column} value={fieldValue(row, column.name)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The first picture that a record shows of itself. */
function pictureOf(resource: Resource, row: Row): { field: Field; source: string } | undefined {
  for (const field of resource.fields) {
    const value = fieldValue(row, field.name);
    const [one, item] = Array.isArray(value) ? [value[0], field.item] : [value, field];
    const source = item && !field.hidden ? pictureIn(item, one) : undefined;
    if (source) return { field, source };
  }
  return undefined;
}

function pictureIn(field: Field, value: Json | undefined): string | undefined {
  if (isNoValue(value) || seenAs(field, value).kind !== "image") return undefined;
  return safePicture(String(value));
}
