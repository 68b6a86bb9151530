/** As `structuredClone` does it, for what interfaces keep. */
export function clone(value: unknown, seen = new Map<object, unknown>()): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError("This cannot be cloned.");
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const keep = <Copy>(copy: Copy): Copy => {
    seen.set(value, copy);
    return copy;
  };
  if (value instanceof Date) return new Date(value);
  if (value instanceof RegExp) return new RegExp(value);
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (ArrayBuffer.isView(value)) return keep((value as Uint8Array).slice());
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, one] of value) copy.set(clone(key, seen), clone(one, seen));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const one of value) copy.add(clone(one, seen));
    return copy;
  }
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {}) as Record<string, unknown>;
  for (const [key, one] of Object.entries(value)) copy[key] = clone(one, seen);
  if (value instanceof Error) Object.assign(copy, { name: value.name, message: value.message });
  return copy;
}
