import { Suspense, useId } from "react";
import { formatValue } from "../../api/format.ts";
import { instantOf, localDateTime } from "../../api/local-time.ts";
import type { Field, FieldOption, Filter, Json } from "../../descriptor.ts";
import { RecordPicker } from "../inputs/record-picker.tsx";
import { isPicked, usePickable } from "../inputs/relation-input.tsx";
import { PopoverButton } from "../popover-button.tsx";
import { useSettledText } from "./filter-bar.tsx";
import { filterText, filterValue } from "./list-state.ts";

interface FilterControlProps {
  filter: Filter;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

/** The control that fits what the parameter takes. */
export function FilterControl(props: FilterControlProps) {
  const { field } = props.filter;
  const options = optionsOfFilter(field);
  if (field.kind === "list" && options.length > 0) {
    return <ManyFilter {...props} options={options} />;
  }
  if (options.length > 0) return <OneFilter {...props} options={options} />;
  if (!isPicked(field)) return <TextFilter {...props} />;
  return (
    <Suspense fallback={<TextFilter {...props} />}>
      <RecordFilter {...props} />
    </Suspense>
  );
}

/** Records of another resource are chosen by name, as in a form. */
function RecordFilter(props: FilterControlProps) {
  const { filter, value, onChange } = props;
  const id = useId();
  const related = usePickable(filter.field);
  if (!related) return <TextFilter {...props} />;
  return (
    <div className="filter" data-set={value !== undefined || undefined}>
      <label htmlFor={id}>{filter.field.label}</label>
      <RecordPicker
        related={related}
        value={value === undefined ? "" : filterText(value)}
        onChange={(key) => onChange(filterValue(filter.field, key))}
        attributes={{ id, placeholder: "Any" }}
        withKey={false}
      />
    </div>
  );
}

function optionsOfFilter(field: Field): FieldOption[] {
  if (field.kind === "boolean") {
    return [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ];
  }
  return field.options ?? field.item?.options ?? [];
}

function OneFilter({
  filter,
  value,
  onChange,
  options,
}: FilterControlProps & { options: FieldOption[] }) {
  const id = useId();
  return (
    <div className="filter" data-set={value !== undefined || undefined}>
      <label htmlFor={id}>{filter.field.label}</label>
      <select
        id={id}
        value={value === undefined ? "" : String(value)}
        onChange={(event) => onChange(filterValue(filter.field, event.target.value))}
      >
        <option value="">Any</option>
        {options.map((option) => (
          <option key={String(option.value)} value={String(option.value)}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

function ManyFilter({
  filter,
  value,
  onChange,
  options,
}: FilterControlProps & { options: FieldOption[] }) {
  const chosen = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const toggle = (option: FieldOption) => {
    const next = chosen.includes(option.value)
      ? chosen.filter((one) => one !== option.value)
      : [...chosen, option.value];
    onChange(next.length > 0 ? next : undefined);
  };
  const text = chosen.length > 0 ? formatValue(filter.field, chosen) : "Any";
  const label = (
    <>
      <span className="filter-name">{filter.field.label}</span> {text}
    </>
  );
  return (
    <PopoverButton
      label={label}
      className={chosen.length > 0 ? "filter filter-button filter-set" : "filter filter-button"}
    >
      <fieldset className="filter-options">
        <legend className="visually-hidden">{filter.field.label}</legend>
        {options.map((option) => (
          <label key={String(option.value)} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={() => toggle(option)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </fieldset>
    </PopoverButton>
  );
}

/** An instant is entered as local time, and sent as what it is everywhere. */
function filterInputText(field: Field, value: Json | undefined): string {
  if (value === undefined) return "";
  const text = Array.isArray(value) ? value.join(",") : filterText(value);
  return field.kind === "dateTime" ? (localDateTime(text) ?? "") : text;
}

function TextFilter({ filter, value, onChange }: FilterControlProps) {
  const id = useId();
  const { field } = filter;
  const meantBy = (entered: string) =>
    filterValue(field, field.kind === "dateTime" && entered ? instantOf(entered) : entered);
  const [text, setText] = useSettledText(
    filterInputText(field, value),
    (next) => onChange(meantBy(next)),
    (next) => filterInputText(field, meantBy(next)),
  );
  const isNumber = field.kind === "integer" || field.kind === "number";
  return (
    <div className="filter" data-set={value !== undefined || undefined}>
      <label htmlFor={id}>{field.label}</label>
      <input
        id={id}
        type={
          field.kind === "date" ? "date" : field.kind === "dateTime" ? "datetime-local" : "text"
        }
        inputMode={isNumber ? "decimal" : undefined}
        placeholder="Any"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
