import type { Json } from "../../descriptor.ts";

const mostCharacters = 100_000;

/** A value as it came. */
export function JsonView({
  value,
  label = "JSON",
  open = false,
}: {
  value: Json;
  label?: string;
  open?: boolean;
}) {
  const text = JSON.stringify(value, null, 2) ?? "";
  return (
    <details className="json" open={open && text.length < 1200}>
      <summary>{label}</summary>
      {/* It scrolls, so it must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre tabIndex={0}>
        {text.length > mostCharacters ? `${text.slice(0, mostCharacters)}\n…` : text}
      </pre>
    </details>
  );
}
