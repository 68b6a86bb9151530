// What agents send is read leniently, as the real servers do: what is missing is empty.

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const stringOf = (value: unknown, otherwise = ""): string => (typeof value === "string" ? value : otherwise);

const DEEPEST_TEXT = 8;

/** The text of a message or a result, whatever parts it is made of. What has no text, such as an image, says nothing. */
export function textOf(content: unknown, depth = 0): string {
  if (typeof content === "string") return content;
  if (depth > DEEPEST_TEXT) return "";
  if (Array.isArray(content))
    return content
      .map((part) => textOf(part, depth + 1))
      .filter((text) => text !== "")
      .join("\n");
  const { text, output, content: inner, error } = objectOf(content);
  return textOf(text ?? output ?? inner ?? error ?? "", depth + 1);
}
