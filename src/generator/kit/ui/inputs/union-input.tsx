import { type FormValue, formChoice, newUnionChoice } from "../../api/form-values.ts";
import { variantFields } from "../../api/union-variant.ts";
import { inSentence } from "../in-sentence.ts";
import { type InputProps, KindInput } from "./field-input.tsx";
import { PartsInput } from "./object-input.tsx";
import { inputId, useFormContext } from "./use-form.ts";

/** One of several shapes: first which one, then its parts. */
export function UnionInput({ field, path, value, onChange }: InputProps) {
  const form = useFormContext();
  const choice = formChoice(value);
  const variant = field.variants?.find((one) => one.value === choice.variant);
  const change = (next: FormValue) => onChange({ variant: choice.variant, value: next });
  return (
    <div className="union">
      <select
        className="input select"
        aria-label={`Kind of ${inSentence(field.label)}`}
        value={choice.variant}
        onChange={(event) => onChange(newUnionChoice(field, event.target.value))}
        onBlur={() => form.touch(path)}
      >
        {(!field.required || choice.variant === "") && (
          <option value="">{field.required ? "Choose…" : "Not set"}</option>
        )}
        {field.variants?.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
      {variant?.fields && (
        <PartsInput
          fields={variantFields(field, variant)}
          path={path}
          value={choice.value}
          onChange={change}
        />
      )}
      {variant?.field && (
        <>
          <label className="visually-hidden" htmlFor={inputId(form, `${path}.value`)}>
            {variant.label}
          </label>
          <KindInput
            field={{ ...variant.field, label: variant.label, required: true }}
            path={`${path}.value`}
            value={choice.value}
            onChange={change}
          />
        </>
      )}
    </div>
  );
}
