import { plainText } from "../../core/plain-text.ts";
import { withoutSecrets } from "./secrets.ts";

/** Text as the messages have it: without what a terminal would obey, and without what looks like a secret. */
export const shownText = (text: string) => withoutSecrets(plainText(text));

/** The same for every string within a value. */
export function shownValue(value: unknown): unknown {
  if (typeof value === "string") return shownText(value);
  if (Array.isArray(value)) return value.map(shownValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [shownText(name), shownValue(inner)]));
}
