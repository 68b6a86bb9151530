import type { Json } from "../../descriptor.ts";
import { isLongIdentifier } from "./seen-as.ts";

export function NoValue() {
  return (
    <span className="nothing">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">Not set</span>
    </span>
  );
}

export function isNoValue(value: Json | undefined): value is undefined | null | "" {
  return value === undefined || value === null || value === "";
}

/** What nobody reads to its end stands apart, and takes no more room than there is. */
export function PlainText({ text }: { text: string }) {
  if (text === "") return <NoValue />;
  if (!isLongIdentifier(text)) return text;
  return (
    <code className="identifier" title={text}>
      {text}
    </code>
  );
}
