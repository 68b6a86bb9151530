import { formatValue } from "../../api/format.ts";
import type { Field, Json } from "../../descriptor.ts";
import { Icon } from "../icon.tsx";
import { toneOfOption, ValueBadge } from "./badge.tsx";
import { ColorValue, RelativeTime, Stars } from "./formatted-values.tsx";
import { isNoValue, NoValue, PlainText } from "./plain-text.tsx";
import { RelationLink } from "./relation-link.tsx";
import { EmailLink, SafeLink, safePicture } from "./safe-link.tsx";
import { seenAs } from "./seen-as.ts";
import { TimeText } from "./time-text.tsx";

/** A value that fits into a line, shown by its kind. */
export function FieldValue({
  field: described,
  value,
  resolve,
}: {
  field: Field;
  value: Json | undefined;
  /** There is room, and time, to ask what a related record is called. */
  resolve?: boolean;
}) {
  if (isNoValue(value)) return <NoValue />;
  const field = seenAs(described, value);
  if (field.relation && field.kind !== "list") {
    return <RelationLink field={field} value={value} resolve={resolve} />;
  }
  if (field.format === "stars") return <Stars field={field} value={value} />;
  if (field.format === "color") return <ColorValue field={field} value={value} />;
  if (field.format === "relative") return <RelativeTime field={field} value={value} />;
  if (toneOfOption(field, value)) return <ValueBadge field={field} value={value} />;
  switch (field.kind) {
    case "boolean":
      return <BooleanValue value={value === true} label={formatValue(field, value)} />;
    case "enum":
      return <ValueBadge field={field} value={value} />;
    case "date":
    case "dateTime":
      return <TimeText field={field} value={value} relative={resolve} />;
    case "email":
      return <EmailLink address={String(value)} />;
    case "url":
      return <SafeLink address={String(value)} />;
    case "image":
      return <Picture field={field} address={String(value)} />;
    case "list":
      return <InlineList field={field} value={value} />;
    default:
      return <PlainText text={formatValue(field, value)} />;
  }
}

function BooleanValue({ value, label }: { value: boolean; label: string }) {
  return (
    <span className={`flag flag-${value ? "yes" : "no"}`}>
      <Icon name={value ? "check" : "close"} size={14} />
      {label}
    </span>
  );
}

function Picture({ field, address }: { field: Field; address: string }) {
  const source = safePicture(address);
  if (!source) return <>{address}</>;
  return <img className="picture" src={source} alt={field.label} loading="lazy" />;
}

const mostInlineItems = 3;

function InlineList({ field, value }: { field: Field; value: Json }) {
  const { item } = field;
  if (Array.isArray(value) && value.length === 0) return <NoValue />;
  if (!Array.isArray(value) || !item) return <>{formatValue(field, value) || <NoValue />}</>;
  const shown = value.slice(0, mostInlineItems);
  const rest = value.length - shown.length;
  return (
    <span className="inline-list">
      {shown.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values of a list have no other name
        <InlineItem key={index} item={item} value={one} />
      ))}
      {rest > 0 && <span className="inline-rest">+{rest}</span>}
    </span>
  );
}

const aloneKinds = ["image", "url", "email", "enum"];

function InlineItem({ item: described, value }: { item: Field; value: Json }) {
  const item = seenAs(described, value);
  const isShownAlone = item.relation || item.format || aloneKinds.includes(item.kind);
  if (isShownAlone) return <FieldValue field={item} value={value} />;
  const text = formatValue(item, value);
  return (
    <span className="tag" title={text.length > 24 ? text : undefined}>
      {text || "–"}
    </span>
  );
}
