import { formItems, formText } from "../../api/form-values.ts";
import type { Field } from "../../descriptor.ts";
import { type InputProps, useInputAttributes } from "./field-input.tsx";

/** On or off, where the API wants one of them. */
export function SwitchInput(props: InputProps) {
  const attributes = useInputAttributes(props);
  return (
    <input
      {...attributes}
      type="checkbox"
      role="switch"
      className="switch"
      checked={props.value === true}
      aria-checked={props.value === true}
      onChange={(event) => props.onChange(event.target.checked)}
    />
  );
}

/** Yes, no, or not said. */
export function OptionalBooleanInput(props: InputProps) {
  const attributes = useInputAttributes(props);
  const choices = [
    { label: "Not set", value: undefined },
    { label: "Yes", value: true },
    { label: "No", value: false },
  ];
  return (
    <div className="segments">
      {choices.map((choice) => (
        <label key={choice.label} className="segment">
          <input
            type="radio"
            name={attributes.id}
            checked={props.value === choice.value}
            onBlur={attributes.onBlur}
            onChange={() => props.onChange(choice.value)}
          />
          <span className="segment-text">{choice.label}</span>
        </label>
      ))}
    </div>
  );
}

export function EnumInput(props: InputProps) {
  const { field, onChange } = props;
  const attributes = useInputAttributes(props);
  const text = formText(props.value);
  return (
    <select
      {...attributes}
      className="input select"
      value={text}
      onChange={(event) => onChange(event.target.value)}
    >
      {(!field.required || text === "") && (
        <option value="">{field.required ? "Choose…" : "Not set"}</option>
      )}
      {optionsWith(field, text).map((option) => (
        <option key={String(option.value)} value={String(option.value)}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** Several of a few values. */
export function CheckboxList(props: InputProps) {
  const { field, value, onChange } = props;
  const attributes = useInputAttributes(props);
  const chosen = formItems(value);
  return (
    <div className="checks">
      {(field.item?.options ?? []).map((option) => {
        const text = String(option.value);
        const isChosen = chosen.includes(text);
        return (
          <label key={text} className="check">
            <input
              type="checkbox"
              checked={isChosen}
              onBlur={attributes.onBlur}
              onChange={() =>
                onChange(isChosen ? chosen.filter((one) => one !== text) : [...chosen, text])
              }
            />
            <span>{option.label}</span>
          </label>
        );
      })}
    </div>
  );
}

/** A record may hold a value that the description does not know: it must not be lost. */
function optionsWith(field: Field, present: string) {
  const options = (field.options ?? []).filter((option) => option.value !== "");
  const isKnown = present === "" || options.some((option) => String(option.value) === present);
  return isKnown ? options : [...options, { value: present, label: present }];
}
