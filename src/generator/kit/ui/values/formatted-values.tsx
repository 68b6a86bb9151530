import { instantIn, starsOf } from "../../api/field-format.ts";
import { formatDateTime, formatValue } from "../../api/format.ts";
import type { Field, Json } from "../../descriptor.ts";

// Formats that are more than a text.

interface FormattedProps {
  field: Field;
  value: Json;
}

export function Stars({ field, value }: FormattedProps) {
  const stars = starsOf(value, field);
  const text = formatValue(field, value);
  if (!stars) return <>{text}</>;
  return (
    <span className="stars" title={text}>
      <span aria-hidden="true">
        {"★".repeat(stars.full)}
        <span className="stars-rest">{"★".repeat(stars.of - stars.full)}</span>
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** Only a colour is taken from the data: nothing of it can load anything. */
export function ColorValue({ field, value }: FormattedProps) {
  return (
    <span className="color-value">
      <span className="swatch" style={{ backgroundColor: String(value) }} aria-hidden="true" />
      {formatValue(field, value)}
    </span>
  );
}

export function RelativeTime({ field, value }: FormattedProps) {
  const text = formatValue(field, value);
  const instant = instantIn(value)?.toISOString();
  if (!instant) return <>{text}</>;
  return (
    <time dateTime={instant} title={formatDateTime(instant)}>
      {text}
    </time>
  );
}
