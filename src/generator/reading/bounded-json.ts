import type { Json } from "../normalized-spec.ts";

const mostCharacters = 4000;
const deepest = 24;

/** A copy of an example or a default that is plain JSON, or undefined if it is too large to be worth its space. */
export function boundedJson(value: unknown, characters = mostCharacters): Json | undefined {
  const room = { left: characters };
  const copy = copied(value, room, 0);
  return room.left < 0 ? undefined : copy;
}

function copied(value: unknown, room: { left: number }, depth: number): Json | undefined {
  room.left -= typeof value === "string" ? value.length + 2 : 4;
  if (depth > deepest) room.left = -1;
  if (room.left < 0) return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null; // -0 is not JSON
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return copiedList(value, room, depth);
  if (typeof value === "object") return copiedObject(value, room, depth);
  return undefined;
}

function copiedList(list: unknown[], room: { left: number }, depth: number): Json {
  const copy: Json[] = [];
  for (const item of list) {
    copy.push(copied(item, room, depth + 1) ?? null);
    if (room.left < 0) break;
  }
  return copy;
}

function copiedObject(object: object, room: { left: number }, depth: number): Json {
  const copy: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(object)) {
    room.left -= key.length + 2;
    const inside = copied(value, room, depth + 1);
    if (room.left < 0) break;
    if (inside !== undefined && key !== "__proto__") copy[key] = inside;
  }
  return copy;
}
