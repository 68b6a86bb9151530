import { formParts, isEntered, writableFields } from "../../api/form-values.ts";
import type { Field } from "../../descriptor.ts";
import { FieldInput, type InputProps } from "./field-input.tsx";

export function ObjectInput({ field, path, value, onChange }: InputProps) {
  return <PartsInput fields={field.fields ?? []} path={path} value={value} onChange={onChange} />;
}

/** The fields that something is made of. */
export function PartsInput({
  fields,
  path,
  value,
  onChange,
}: Omit<InputProps, "field"> & { fields: Field[] }) {
  const parts = formParts(value);
  return (
    <div className="field-grid">
      {writableFields(fields)
        .filter((part) => isEntered(part))
        .map((part) => (
          <FieldInput
            key={part.name}
            field={part}
            path={`${path}.${part.name}`}
            value={Object.hasOwn(parts, part.name) ? parts[part.name] : undefined}
            onChange={(next) => onChange({ ...parts, [part.name]: next })}
          />
        ))}
    </div>
  );
}
