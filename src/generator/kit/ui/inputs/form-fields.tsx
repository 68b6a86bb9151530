import { useState } from "react";
import { isEmptyFormValue, writableFields } from "../../api/form-values.ts";
import type { Field } from "../../descriptor.ts";
import { FieldInput } from "./field-input.tsx";
import { type Form, FormContext } from "./use-form.ts";

const mostFieldsAtFirst = 8;

/** The inputs of a form. Optional ones beyond the first few are folded away. */
export function FormFields({ form }: { form: Form }) {
  // As it was at first: a field that moved while it is filled in would lose the focus.
  const [folded] = useState(() => {
    const isFilled = (field: Field) => !isEmptyFormValue(field, form.values[field.name]);
    return foldedFields(form.entered, isFilled).more.map(({ name }) => name);
  });
  const fields = writableFields(form.entered);
  const more = fields.filter(({ name }) => folded.includes(name));
  return (
    <FormContext value={form}>
      <FieldGrid form={form} fields={fields.filter((field) => !more.includes(field))} />
      {more.length > 0 && <MoreFields form={form} fields={more} />}
    </FormContext>
  );
}

/** Opens when something in it is wrong, and never closes by itself. */
function MoreFields({ form, fields }: { form: Form; fields: Field[] }) {
  const [isOpen, setOpen] = useState(false);
  const [hadErrors, setHadErrors] = useState(false);
  const hasErrors = fields.some(({ name }) =>
    Object.keys(form.errors).some((path) => path === name || path.startsWith(`${name}.`)),
  );
  if (hadErrors !== hasErrors) {
    setHadErrors(hasErrors);
    if (hasErrors) setOpen(true);
  }
  return (
    <details
      className="more-fields"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>More fields ({fields.length})</summary>
      <FieldGrid form={form} fields={fields} />
    </details>
  );
}

function FieldGrid({ form, fields }: { form: Form; fields: Field[] }) {
  return (
    <div className="field-grid">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          path={field.name}
          value={Object.hasOwn(form.values, field.name) ? form.values[field.name] : undefined}
          onChange={(value) => form.setValue(field.name, value)}
        />
      ))}
    </div>
  );
}

/** Required fields are always seen, others as long as there is room or they hold something. */
export function foldedFields(
  fields: Field[],
  isFilled: (field: Field) => boolean,
): { first: Field[]; more: Field[] } {
  const writable = writableFields(fields);
  if (writable.length <= mostFieldsAtFirst + 2) return { first: writable, more: [] };
  const required = writable.filter((field) => field.required).length;
  let room = Math.max(2, mostFieldsAtFirst - required);
  const first = writable.filter((field) => field.required || isFilled(field) || room-- > 0);
  return { first, more: writable.filter((field) => !first.includes(field)) };
}
