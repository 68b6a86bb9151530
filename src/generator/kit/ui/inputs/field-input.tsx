import type { ReactNode } from "react";
import { editedAsJson, type FormValue } from "../../api/form-values.ts";
import type { Field } from "../../descriptor.ts";
import { CheckboxList, EnumInput, OptionalBooleanInput, SwitchInput } from "./choice-inputs.tsx";
import { FileInput } from "./file-input.tsx";
import { JsonInput } from "./json-input.tsx";
import { ListInput } from "./list-input.tsx";
import { MapInput } from "./map-input.tsx";
import { ObjectInput } from "./object-input.tsx";
import { isPicked, RelationInput } from "./relation-input.tsx";
import { LongTextInput, SingleLineInput } from "./text-inputs.tsx";
import { UnionInput } from "./union-input.tsx";
import { errorAt, inputId, useFormContext } from "./use-form.ts";

/** What every input is given. */
export interface InputProps {
  field: Field;
  /** Dotted, from the top of the form. */
  path: string;
  value: FormValue;
  onChange: (value: FormValue) => void;
}

/** A field of a form: its label, the input of its kind, help, and what is wrong with it. */
export function FieldInput(props: InputProps) {
  const { field } = props;
  if (isFieldset(field)) {
    return (
      <FieldGroup field={field} path={props.path}>
        <KindInput {...props} />
      </FieldGroup>
    );
  }
  return (
    <LabelledField field={field} path={props.path}>
      <KindInput {...props} />
    </LabelledField>
  );
}

/** The input of a field's kind, without a label. */
export function KindInput(props: InputProps) {
  const { field } = props;
  if (editedAsJson(field)) return <JsonInput {...props} />;
  if (isPicked(field)) return <RelationInput {...props} />;
  switch (field.kind) {
    case "longText":
      return <LongTextInput {...props} />;
    case "boolean":
      return isSwitch(field) ? <SwitchInput {...props} /> : <OptionalBooleanInput {...props} />;
    case "enum":
      return <EnumInput {...props} />;
    case "file":
      return <FileInput {...props} />;
    case "object":
      return <ObjectInput {...props} />;
    case "list":
      return isCheckboxList(field) ? <CheckboxList {...props} /> : <ListInput {...props} />;
    case "map":
      return <MapInput {...props} />;
    case "union":
      return <UnionInput {...props} />;
    default:
      return <SingleLineInput {...props} />;
  }
}

/** Whether it consists of several inputs, which then need a legend. */
function isFieldset(field: Field): boolean {
  if (editedAsJson(field)) return false;
  if (field.kind === "boolean") return !isSwitch(field);
  return ["object", "list", "map", "union"].includes(field.kind);
}

function isWide(field: Field): boolean {
  return field.kind === "longText" || field.kind === "file" || editedAsJson(field);
}

function isSwitch(field: Field): boolean {
  return field.required === true && !field.nullable;
}

function isCheckboxList(field: Field): boolean {
  const count = field.item?.kind === "enum" ? (field.item.options?.length ?? 0) : 0;
  return count > 0 && count <= 12;
}

function LabelledField({
  field,
  path,
  children,
}: {
  field: Field;
  path: string;
  children: ReactNode;
}) {
  const form = useFormContext();
  const id = inputId(form, path);
  return (
    <div className="field" data-wide={isWide(field) || undefined}>
      <label className="field-label" htmlFor={id}>
        {field.label}
        <FieldMarks field={field} />
      </label>
      {children}
      <FieldError path={path} />
      <FieldHelp field={field} path={path} />
    </div>
  );
}

function FieldGroup({
  field,
  path,
  children,
}: {
  field: Field;
  path: string;
  children: ReactNode;
}) {
  const form = useFormContext();
  const id = inputId(form, path);
  const isNested = field.kind !== "boolean";
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      className={isNested ? "field field-group" : "field"}
      data-wide={isNested || undefined}
      aria-describedby={noteIds(field, id)}
    >
      <legend className="field-label">
        {field.label}
        <FieldMarks field={field} />
      </legend>
      {isNested && <FieldHelp field={field} path={path} />}
      {children}
      <FieldError path={path} />
      {!isNested && <FieldHelp field={field} path={path} />}
    </fieldset>
  );
}

function FieldMarks({ field }: { field: Field }) {
  return (
    <>
      {field.required && (
        <span className="field-required" title="Required">
          <span aria-hidden="true">*</span>
          <span className="visually-hidden"> (required)</span>
        </span>
      )}
      {field.deprecated && <span className="field-mark">Deprecated</span>}
    </>
  );
}

function FieldError({ path }: { path: string }) {
  const form = useFormContext();
  const error = errorAt(form, path);
  if (!error) return null;
  return (
    <p id={`${inputId(form, path)}-error`} className="field-error">
      {error}
    </p>
  );
}

/** Of a group it stands first: below many inputs it would seem to be about the last one. */
function FieldHelp({ field, path }: { field: Field; path: string }) {
  const form = useFormContext();
  if (!field.description) return null;
  return (
    <p id={`${inputId(form, path)}-help`} className="field-help">
      {field.description}
    </p>
  );
}

function noteIds(field: Field, id: string, error?: string): string | undefined {
  const ids = [error && `${id}-error`, field.description && `${id}-help`].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
}

/** The attributes that tie an input to its label, its help and its error. */
export function useInputAttributes({ field, path }: Pick<InputProps, "field" | "path">) {
  const form = useFormContext();
  const id = inputId(form, path);
  const error = errorAt(form, path);
  return {
    id,
    name: path,
    "aria-describedby": noteIds(field, id, error),
    "aria-invalid": error ? true : undefined,
    "aria-required": field.required || undefined,
    onBlur: () => form.touch(path),
  };
}
