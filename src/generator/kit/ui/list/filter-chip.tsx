import { Suspense } from "react";
import { formatValue } from "../../api/format.ts";
import type { Field, Json } from "../../descriptor.ts";
import { Icon } from "../icon.tsx";
import { isPicked, usePickable } from "../inputs/relation-input.tsx";
import { ResolvedTitle } from "../values/relation-link.tsx";

/** A filter that is set, in words. Pressing it takes it away. */
export function FilterChip({
  field,
  value,
  onRemove,
}: {
  field: Field;
  value: Json | undefined;
  onRemove: () => void;
}) {
  const text = formatValue(field, value) || "…";
  return (
    <button type="button" className="chip" onClick={onRemove} title="Remove this filter">
      <span className="visually-hidden">Remove filter </span>
      <span className="chip-label">{field.label}</span>
      <span className="chip-value">
        {isPicked(field) ? (
          <Suspense fallback={text}>
            <RecordName field={field} recordKey={text} />
          </Suspense>
        ) : (
          text
        )}
      </span>
      <Icon name="close" size={12} />
    </button>
  );
}

function RecordName({ field, recordKey }: { field: Field; recordKey: string }) {
  const related = usePickable(field);
  return related ? <ResolvedTitle related={related} recordKey={recordKey} /> : recordKey;
}
