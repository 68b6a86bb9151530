import type { Field, Resource } from "../../descriptor.ts";
import { PopoverButton } from "../popover-button.tsx";

/** Which fields the table shows. */
export function ColumnChooser({
  resource,
  columns,
  onChange,
}: {
  resource: Resource;
  columns: Field[];
  onChange: (columns: string[]) => void;
}) {
  const names = columns.map((column) => column.name);
  const choices = [...resource.fields, ...(resource.parts ?? [])].filter(
    ({ name, writeOnly, hidden }) => !writeOnly && (!hidden || names.includes(name)),
  );
  const label = (resource.view?.as ?? "table") === "table" ? "Columns" : "Fields";
  const toggle = (name: string) => {
    const next = names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
    if (next.length > 0) onChange(next);
  };
  return (
    <PopoverButton label={label} icon="columns">
      <fieldset className="filter-options">
        <legend className="visually-hidden">{label}</legend>
        {choices.map((field) => (
          <label key={field.name} className="check">
            <input
              type="checkbox"
              checked={names.includes(field.name)}
              onChange={() => toggle(field.name)}
            />
            <span>{field.label}</span>
          </label>
        ))}
      </fieldset>
    </PopoverButton>
  );
}
