import { formEntries, type MapEntry, newFormValue } from "../../api/form-values.ts";
import { Button, IconButton } from "../button.tsx";
import { type InputProps, KindInput } from "./field-input.tsx";
import { useEntryFocus } from "./use-entry-focus.ts";
import { inputId, useFormContext } from "./use-form.ts";

/** Names with a value each. */
export function MapInput({ field, path, value, onChange }: InputProps) {
  const form = useFormContext();
  const focus = useEntryFocus();
  const entries = formEntries(value);
  const { item } = field;
  if (!item) return null;
  const replace = (index: number, entry: MapEntry) =>
    onChange(entries.map((one, at) => (at === index ? entry : one)));
  return (
    <div className="repeat" ref={focus.list}>
      {entries.map((entry, index) => {
        const label = `${field.label} ${index + 1}`;
        const valuePath = `${path}.${entry.key}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed
          <div className="repeat-item map-entry" key={index}>
            <input
              className="input"
              aria-label={`${label}: name`}
              placeholder="Name"
              value={entry.key}
              onChange={(event) => replace(index, { ...entry, key: event.target.value })}
              onBlur={() => form.touch(path)}
            />
            <div className="map-value">
              <label className="visually-hidden" htmlFor={inputId(form, valuePath)}>
                {label}: value
              </label>
              <KindInput
                field={{ ...item, label: `${label}: value`, required: true }}
                path={valuePath}
                value={entry.value}
                onChange={(next) => replace(index, { ...entry, value: next })}
              />
            </div>
            <div className="repeat-tools">
              <IconButton
                icon="trash"
                label={`Remove ${label}`}
                onClick={() => {
                  focus.removed(index);
                  onChange(entries.filter((_, at) => at !== index));
                }}
              />
            </div>
          </div>
        );
      })}
      <Button
        icon="add"
        size="small"
        onClick={() => {
          focus.added(entries.length);
          onChange([...entries, { key: "", value: newFormValue(item) }]);
        }}
      >
        Add entry
      </Button>
    </div>
  );
}
