import type { Json } from "../descriptor.ts";

export type JsonObject = { [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own property only: an answer may hold `constructor` or `__proto__` as a name. */
export function propertyOf(value: unknown, name: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(propertyOf, value);
}

/** Sets it as an own property whatever its name is: assigning to `__proto__` would not. */
export function setProperty<Value>(target: Record<string, Value>, name: string, value: Value) {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Whatever walks through a value, `JSON.stringify` too, runs out of stack in one that is deep. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inside) => isDeeperThan(levels - 1, inside));
}

export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  if (one instanceof Blob || other instanceof Blob) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}

/**
 * Whole numbers beyond what a JavaScript number holds come as text: a rounded key would name
 * another record, or none.
 */
export function parseJson(text: string): Json {
  const parsed: Json = JSON.parse(text);
  if (!/\d{16}/.test(text)) return parsed;
  const stringOrNumber = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(
    text.replace(stringOrNumber, (token) => (isTooLong(token) ? `"${token}"` : token)),
  );
}

function isTooLong(token: string): boolean {
  return /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
}
