import { Suspense } from "react";
import { formText } from "../../api/form-values.ts";
import type { Field, Resource } from "../../descriptor.ts";
import { useResource, useWorkspace } from "../workspace.tsx";
import { type InputProps, useInputAttributes } from "./field-input.tsx";
import { RecordPicker } from "./record-picker.tsx";
import { SingleLineInput } from "./text-inputs.tsx";

/** Names a record of another resource: found by its title, kept by its key. */
export function RelationInput(props: InputProps) {
  return (
    <Suspense fallback={<SingleLineInput {...props} />}>
      <RelationChoice {...props} />
    </Suspense>
  );
}

function RelationChoice(props: InputProps) {
  const { value, onChange } = props;
  const related = usePickable(props.field);
  const attributes = useInputAttributes(props);
  if (!related) return <SingleLineInput {...props} />;
  return (
    <RecordPicker
      related={related}
      value={formText(value)}
      onChange={onChange}
      attributes={{ ...attributes, className: "input" }}
    />
  );
}

/** The resource whose records can be offered for a field, if they can be listed. */
export function usePickable(field: Field): Resource | undefined {
  const { entryOf } = useWorkspace();
  const id = field.relation?.resource;
  const related = useResource(id !== undefined && entryOf(id) ? id : undefined);
  return related?.key !== undefined && related.lists.length > 0 ? related : undefined;
}

/** Whether a field holds the key of a record, and not the record itself or several of them. */
export function isPicked(field: Field): boolean {
  const isScalar = ["text", "integer", "number", "url"].includes(field.kind);
  return isScalar && field.relation !== undefined && !field.relation.embedded;
}
