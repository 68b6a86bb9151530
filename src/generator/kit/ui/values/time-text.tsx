import { dateOf, formatRelative, formatValue } from "../../api/format.ts";
import type { Field, Json } from "../../descriptor.ts";

/** A date, and how far away it is: beside it, or as its tooltip. */
export function TimeText({
  field,
  value,
  relative = false,
}: {
  field: Field;
  value: Json;
  relative?: boolean;
}) {
  const date = dateOf(value);
  const text = formatValue(field, value);
  if (!date) return <>{text}</>;
  const distance = formatRelative(date, new Date());
  return (
    <span className="time">
      <time dateTime={String(value)} title={relative ? String(value) : distance}>
        {text}
      </time>
      {relative && <span className="time-distance">{distance}</span>}
    </span>
  );
}
