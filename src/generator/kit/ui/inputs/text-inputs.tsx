import { formText } from "../../api/form-values.ts";
import type { Field, FieldKind } from "../../descriptor.ts";
import { type InputProps, useInputAttributes } from "./field-input.tsx";

const inputTypes: Partial<Record<FieldKind, string>> = {
  date: "date",
  dateTime: "datetime-local",
  time: "time",
  email: "email",
  url: "url",
  image: "url",
  password: "password",
};

export function SingleLineInput(props: InputProps) {
  const { field, value, onChange } = props;
  const attributes = useInputAttributes(props);
  const isNumber = field.kind === "integer" || field.kind === "number";
  return (
    <input
      {...attributes}
      className="input"
      // A number stays text while it is typed: a long key must not be rounded.
      type={inputTypes[field.kind] ?? "text"}
      inputMode={isNumber ? (field.kind === "integer" ? "numeric" : "decimal") : undefined}
      step={field.kind === "dateTime" || field.kind === "time" ? "any" : undefined}
      autoComplete={field.kind === "password" ? "new-password" : "off"}
      spellCheck={field.kind === "text" ? undefined : false}
      placeholder={placeholderOf(field)}
      value={formText(value)}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!isNumber || step === undefined) return;
        event.preventDefault();
        onChange(steppedBy(field, formText(value), step));
      }}
    />
  );
}

export function LongTextInput(props: InputProps) {
  const attributes = useInputAttributes(props);
  return (
    <textarea
      {...attributes}
      className="input textarea"
      rows={4}
      value={formText(props.value)}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

function placeholderOf(field: Field): string | undefined {
  const isShort = typeof field.example === "string" && field.example.length <= 40;
  if (isShort || typeof field.example === "number") return `e.g. ${field.example}`;
  return undefined;
}

/** What the arrow keys make of a number: the next one that is allowed, or what it was. */
export function steppedBy(field: Field, text: string, direction: number): string {
  const step = field.step ?? 1;
  const [lowest, highest] = [lowestOf(field, step), highestOf(field, step)];
  const isEmpty = text.trim() === "";
  const present = isEmpty ? Math.min(Math.max(0, lowest), highest) : Number(text);
  if (!Number.isFinite(present) || lowest > highest) return text;
  const next = isEmpty ? present : nextOnGrid(field, present, direction);
  return String(Number(Math.min(Math.max(next, lowest), highest).toFixed(10)));
}

/** A step that the API asks for makes a grid, which a number may lie beside. */
function nextOnGrid(field: Field, present: number, direction: number): number {
  if (field.step === undefined) return present + direction;
  const steps = Number((present / field.step).toFixed(10));
  return (direction > 0 ? Math.floor(steps) + 1 : Math.ceil(steps) - 1) * field.step;
}

function lowestOf({ min, exclusiveMin, step: grid }: Field, step: number): number {
  if (min === undefined) return Number.NEGATIVE_INFINITY;
  const first = grid === undefined ? min : Math.ceil(Number((min / grid).toFixed(10))) * grid;
  return exclusiveMin && first <= min ? first + step : first;
}

function highestOf({ max, exclusiveMax, step: grid }: Field, step: number): number {
  if (max === undefined) return Number.POSITIVE_INFINITY;
  const last = grid === undefined ? max : Math.floor(Number((max / grid).toFixed(10))) * grid;
  return exclusiveMax && last >= max ? last - step : last;
}
