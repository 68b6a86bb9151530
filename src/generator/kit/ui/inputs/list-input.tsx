import { type FormValue, formItems, newFormValue } from "../../api/form-values.ts";
import type { Field } from "../../descriptor.ts";
import { Button, IconButton } from "../button.tsx";
import { inSentence } from "../in-sentence.ts";
import { FieldInput, type InputProps, KindInput } from "./field-input.tsx";
import { useEntryFocus } from "./use-entry-focus.ts";
import { inputId, useFormContext } from "./use-form.ts";

/** Any number of the same. Buttons add, remove and reorder. */
export function ListInput({ field, path, value, onChange }: InputProps) {
  const focus = useEntryFocus();
  const items = formItems(value);
  const { item } = field;
  if (!item) return null;
  const name = item.label || field.label;
  const replace = (index: number, next: FormValue) =>
    onChange(items.map((one, at) => (at === index ? next : one)));
  return (
    <div className="repeat" ref={focus.list}>
      {items.map((one, index) => (
        // Items have no name of their own, and inputs hold no state: the position is enough.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div className="repeat-item" key={index}>
          <ListItem
            item={item}
            label={`${name} ${index + 1}`}
            path={`${path}.${index}`}
            value={one}
            onChange={(next) => replace(index, next)}
          />
          <div className="repeat-tools">
            <IconButton
              icon="arrowUp"
              label={`Move ${name} ${index + 1} up`}
              disabled={index === 0}
              onClick={() => onChange(swapped(items, index - 1))}
            />
            <IconButton
              icon="arrowDown"
              label={`Move ${name} ${index + 1} down`}
              disabled={index === items.length - 1}
              onClick={() => onChange(swapped(items, index))}
            />
            <IconButton
              icon="trash"
              label={`Remove ${name} ${index + 1}`}
              onClick={() => {
                focus.removed(index);
                onChange(items.filter((_, at) => at !== index));
              }}
            />
          </div>
        </div>
      ))}
      <Button
        icon="add"
        size="small"
        disabled={field.maxItems !== undefined && items.length >= field.maxItems}
        onClick={() => {
          focus.added(items.length);
          onChange([...items, newFormValue(item)]);
        }}
      >
        Add {items.length === 0 ? inSentence(name) : "another"}
      </Button>
    </div>
  );
}

/** One line for a simple item, a group for one that has parts. */
function ListItem({
  item,
  label,
  path,
  value,
  onChange,
}: {
  item: Field;
  label: string;
  path: string;
  value: FormValue;
  onChange: (value: FormValue) => void;
}) {
  const form = useFormContext();
  // Each item is there, so nothing needs to say that it must be.
  const required = item.kind !== "object";
  const field: Field = { ...item, label, required, description: undefined };
  const props = { field, path, value, onChange };
  if (["object", "list", "map", "union", "boolean"].includes(item.kind)) {
    return <FieldInput {...props} />;
  }
  const error = Object.hasOwn(form.errors, path) ? form.errors[path] : undefined;
  const id = inputId(form, path);
  return (
    <div className="field">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <KindInput {...props} />
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

function swapped(items: FormValue[], first: number): FormValue[] {
  const next = [...items];
  next.splice(first, 2, items[first + 1], items[first]);
  return next;
}
