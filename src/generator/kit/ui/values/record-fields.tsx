import { isJsonObject, propertyOf } from "../../api/json.ts";
import { variantFields, variantOf } from "../../api/union-variant.ts";
import type { Field, Json } from "../../descriptor.ts";
import { inSentence } from "../in-sentence.ts";
import { Badge } from "./badge.tsx";
import { FieldValue } from "./field-value.tsx";
import { JsonView } from "./json-view.tsx";
import { MapView, ObjectTable } from "./nested-tables.tsx";
import { isNoValue, NoValue } from "./plain-text.tsx";
import { asFormatted } from "./seen-as.ts";

/** What a record consists of: short values side by side, then what is larger below them. */
export function RecordFields({
  fields,
  record,
  level = 2,
}: {
  fields: Field[];
  record: Json;
  /** Of the headings. */
  level?: number;
}) {
  const Heading = `h${Math.min(level, 6)}` as "h2";
  const parts = fields.flatMap((field) => recordPart(field, propertyOf(record, field.name)));
  const short = parts.filter(({ field, value }) => !isLarge(field, value));
  const large = parts.filter((part) => !short.includes(part));
  return (
    <div className="record">
      {short.length > 0 && (
        <dl className="properties">
          {short.map(({ name, label, field, value }) => (
            <div key={name} className="property">
              <dt>{label}</dt>
              <dd>
                <FieldValue field={field} value={value} resolve />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {large.map(({ name, label, field, value }) => (
        <section key={name} className="record-section">
          <Heading className="record-heading">{label}</Heading>
          <LargeValue field={field} value={value} level={level + 1} />
        </section>
      ))}
    </div>
  );
}

interface RecordPart {
  name: string;
  label: string;
  field: Field;
  value: Json | undefined;
}

/** An object of one simple part is no section of its own. */
function recordPart(described: Field, value: Json | undefined): RecordPart[] {
  const field = asFormatted(described);
  if (field.writeOnly || field.hidden) return [];
  const [only, ...others] = (field.fields ?? []).filter((part) => !part.writeOnly);
  const part = only && isJsonObject(value) ? propertyOf(value, only.name) : undefined;
  const isOnePart = field.kind === "object" && only && others.length === 0 && !field.relation;
  if (!isOnePart || isNoValue(part) || isLarge(only, part)) {
    return [{ name: field.name, label: field.label, field, value }];
  }
  const label = `${field.label}: ${inSentence(only.label)}`;
  return [{ name: field.name, label, field: only, value: part }];
}

/** A value of any kind, with as much room as it needs. */
export function LargeValue({
  field,
  value,
  level = 2,
}: {
  field: Field;
  value: Json | undefined;
  level?: number;
}) {
  if (isNoValue(value)) return <NoValue />;
  if (field.kind === "longText") return <p className="prose">{String(value)}</p>;
  if (field.kind === "object" && field.fields && isJsonObject(value)) {
    return <RecordFields fields={field.fields} record={value} level={level} />;
  }
  if (field.kind === "list" && Array.isArray(value))
    return <ListValue field={field} value={value} />;
  if (field.kind === "map" && isJsonObject(value)) return <MapView field={field} value={value} />;
  if (field.kind === "union") return <UnionValue field={field} value={value} level={level} />;
  if (typeof value === "object") return <JsonView value={value} open />;
  return <FieldValue field={field} value={value} resolve />;
}

function ListValue({ field, value }: { field: Field; value: Json[] }) {
  const { item } = field;
  if (value.length === 0) return <NoValue />;
  if (item?.kind === "object" && item.fields)
    return <ObjectTable field={item} label={field.label} rows={value} />;
  if (!item || typeof value[0] === "object") return <JsonView value={value} open />;
  return (
    <ul className="value-list">
      {value.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values of a list have no other name
        <li key={index}>
          <FieldValue field={item} value={one} />
        </li>
      ))}
    </ul>
  );
}

function UnionValue({ field, value, level }: { field: Field; value: Json; level: number }) {
  const variant = variantOf(field, value);
  if (!variant) return <JsonView value={value} open />;
  return (
    <div className="union-value">
      <Badge>{variant.label}</Badge>
      {variant.fields ? (
        <RecordFields fields={variantFields(field, variant)} record={value} level={level} />
      ) : (
        variant.field && <LargeValue field={variant.field} value={value} level={level} />
      )}
    </div>
  );
}

/** Whether a value needs lines of its own. What is empty never does. */
function isLarge(field: Field, value: Json | undefined): boolean {
  if (isNoValue(value)) return false;
  if (field.kind === "longText") return String(value).length > 80 || String(value).includes("\n");
  if (field.relation && !Array.isArray(value)) return false;
  if (Array.isArray(value)) return value.length > 3 || value.some((one) => typeof one === "object");
  return isJsonObject(value) && Object.keys(value).length > 0;
}
