import { formText } from "../../api/form-values.ts";
import { type InputProps, useInputAttributes } from "./field-input.tsx";

/** For what nothing is known about: JSON as text. It is put in order when it is left. */
export function JsonInput(props: InputProps) {
  const attributes = useInputAttributes(props);
  const text = formText(props.value);
  return (
    <textarea
      {...attributes}
      className="input textarea code"
      rows={5}
      spellCheck={false}
      placeholder="JSON"
      value={text}
      onChange={(event) => props.onChange(event.target.value)}
      onBlur={() => {
        attributes.onBlur();
        const ordered = indentedJson(text);
        if (ordered !== undefined && ordered !== text) props.onChange(ordered);
      }}
    />
  );
}

/** Undefined if it is not JSON, or if writing it anew would round a long number. */
export function indentedJson(text: string): string | undefined {
  if (/\d{16}/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
