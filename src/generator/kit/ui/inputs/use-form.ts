import { createContext, useContext, useId, useState } from "react";
import type { BodyObject, FieldErrors, Row } from "../../api/backend.ts";
import { type FormReading, readForm } from "../../api/form-reading.ts";
import {
  type FormValue,
  type FormValues,
  initialValues,
  isEntered,
} from "../../api/form-values.ts";
import { sameJson } from "../../api/json.ts";
import type { Field } from "../../descriptor.ts";
import { useAfterPress } from "./use-after-press.ts";

export interface Form {
  id: string;
  fields: Field[];
  /** Those that a person sees. */
  entered: Field[];
  values: FormValues;
  /** Those that a person should see: of fields that were left, or of all after a submit. */
  errors: FieldErrors;
  dirty: boolean;
  setValue(name: string, value: FormValue): void;
  /** A field was left: what is wrong with it can be said now. */
  touch(path: string): void;
  /** What is to be sent, or undefined if something is wrong, which is then shown. */
  submit(): BodyObject | undefined;
  /** What the API said about single fields. */
  reject(errors: FieldErrors): void;
}

export const FormContext = createContext<Form | undefined>(undefined);

export function useFormContext(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error("An input needs a form above it.");
  return form;
}

export function useForm(fields: Field[], record?: Row, start?: FormValues): Form {
  const id = useId();
  const [initial] = useState(() => ({ ...initialValues(fields, record), ...start }));
  const [values, setValues] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [submitted, setSubmitted] = useState(false);
  const [rejected, setRejected] = useState<FieldErrors>({});
  const afterPress = useAfterPress();
  const reading = readForm(fields, values, record);
  return {
    id,
    fields,
    entered: fields.filter((field) => isEntered(field, record)),
    values,
    errors: visibleErrors(reading, rejected, submitted ? undefined : touched),
    dirty: !sameJson(values, initial),
    setValue(name, value) {
      setValues((present) => ({ ...present, [name]: value }));
      setRejected((present) => withoutBranch(present, name));
    },
    touch: (path) => afterPress(() => setTouched((present) => new Set([...present, path]))),
    submit() {
      setSubmitted(true);
      return Object.keys(reading.errors).length === 0 ? reading.payload : undefined;
    },
    reject: setRejected,
  };
}

export function inputId(form: Form, path: string): string {
  return `${form.id}-${path}`;
}

/** What is wrong with this very field, not with a part of it. */
export function errorAt(form: Form, path: string): string | undefined {
  return Object.hasOwn(form.errors, path) ? form.errors[path] : undefined;
}

/** The names of a path, by its dots. */
export function labelAt(fields: Field[], path: string): string {
  const [name = "", ...rest] = path.split(".");
  const field = fields.find((one) => one.name === name);
  if (!field) return path;
  if (rest.length === 0) return field.label;
  return `${field.label} › ${labelBelow(field, rest)}`;
}

function labelBelow(field: Field, rest: string[]): string {
  const [step = "", ...further] = rest;
  if (!field.item) return labelAt(partsOf(field), rest.join("."));
  const position = field.kind === "list" ? String(Number(step) + 1) : step;
  return further.length === 0 ? position : `${position} › ${labelBelow(field.item, further)}`;
}

function partsOf(field: Field): Field[] {
  return field.fields ?? field.variants?.flatMap((variant) => variant.fields ?? []) ?? [];
}

function visibleErrors(
  reading: FormReading,
  rejected: FieldErrors,
  touched: ReadonlySet<string> | undefined,
): FieldErrors {
  const own = Object.entries(reading.errors).filter(([path]) => !touched || touched.has(path));
  return { ...rejected, ...Object.fromEntries(own) };
}

function withoutBranch(errors: FieldErrors, name: string): FieldErrors {
  const others = Object.entries(errors).filter(
    ([path]) => path !== name && !path.startsWith(`${name}.`),
  );
  return Object.fromEntries(others);
}
