import type { Json } from "../normalized-spec.ts";

// Data as a TypeScript literal, laid out as Prettier lays it out, which is far too slow for thousands of descriptors.

const WIDTH = 100;
const INDENT = "  ";

/** What cannot stand in a literal is left out, as JSON does. */
export type LiteralValue = Json | undefined | Named | { [key: string]: LiteralValue } | LiteralValue[];

/** A constant that is used instead of what it holds. */
export class Named {
  constructor(readonly name: string) {}
}

/**
 * @param start how many characters stand before it on its line
 * @param depth how often its lines are indented
 */
export function literal(value: LiteralValue, depth = 0, start = 0, after = 1): string {
  if (!isContainer(value)) return scalar(value);
  const flat = onOneLine(value, WIDTH - start - after);
  if (flat !== undefined) return flat;
  const inside = depth + 1;
  if (Array.isArray(value)) {
    const lines = value.map((one) => line(one, inside));
    return broken("[", lines, "]", depth);
  }
  const lines = entriesOf(value).map((entry) => property(entry, inside));
  return broken("{", lines, "}", depth);
}

function broken(open: string, lines: string[], close: string, depth: number): string {
  if (lines.length === 0) return open + close;
  return `${open}\n${lines.join("")}${INDENT.repeat(depth)}${close}`;
}

function line(value: LiteralValue, depth: number): string {
  const indent = INDENT.repeat(depth);
  return `${indent}${literal(value, depth, indent.length)},\n`;
}

/** A line of an object, or several. */
export function property([key, value]: [string, LiteralValue], depth: number): string {
  const before = `${INDENT.repeat(depth)}${keyText(key)}:`;
  const text = literal(value, depth, before.length + 1);
  // A text that is too long for its line gets a line of its own, if that wins anything.
  const moves = typeof value === "string" && !text.startsWith("`") && before.length + 1 + text.length + 1 > WIDTH;
  return moves && keyText(key).length > INDENT.length + 2
    ? `${before}\n${INDENT.repeat(depth + 1)}${text},\n`
    : `${before} ${text},\n`;
}

/** Undefined where there is no room for it, or where it has to be on several lines. */
function onOneLine(value: LiteralValue, room: number): string | undefined {
  if (room <= 0) return undefined;
  if (!isContainer(value)) return fitting(scalar(value), room);
  if (Array.isArray(value)) return isTabular(value) ? undefined : joined("[", value.map(unnamed), "]", room);
  const entries = entriesOf(value);
  return entries.length === 0 ? "{}" : joined("{ ", entries, " }", room);
}

const unnamed = (value: LiteralValue): [undefined, LiteralValue] => [undefined, value];

/** It stops at the first part that does not fit, so that a tree is not written down again on each of its levels. */
function joined(
  open: string,
  parts: [key: string | undefined, value: LiteralValue][],
  close: string,
  room: number,
): string | undefined {
  let text = open;
  for (const [key, value] of parts) {
    const before = `${text === open ? "" : ", "}${key === undefined ? "" : `${keyText(key)}: `}`;
    const part = onOneLine(value, room - text.length - before.length - close.length);
    if (part === undefined) return undefined;
    text += before + part;
  }
  return fitting(text + close, room);
}

const fitting = (text: string, room: number) => (text.length <= room && !text.includes("\n") ? text : undefined);

/** Several records with several values each are easier to read one below the other. */
function isTabular(list: LiteralValue[]): boolean {
  const areRecords = list.every((one) => isObject(one) && entriesOf(one).length > 1);
  const areLists = list.every((one) => Array.isArray(one) && one.length > 1);
  return list.length > 1 && (areRecords || areLists);
}

const isContainer = (value: LiteralValue): value is { [key: string]: LiteralValue } | LiteralValue[] =>
  typeof value === "object" && value !== null && !(value instanceof Named);

const isObject = (value: LiteralValue): value is { [key: string]: LiteralValue } =>
  isContainer(value) && !Array.isArray(value);

const entriesOf = (value: { [key: string]: LiteralValue }) =>
  Object.entries(value).filter(([, one]) => one !== undefined);

function scalar(value: LiteralValue): string {
  if (value instanceof Named) return value.name;
  if (typeof value === "string") return value.includes("\n") ? template(value) : quoted(value);
  return value === undefined ? "undefined" : JSON.stringify(value);
}

/** `"__proto__": x` would set the prototype; computed, it is a key like any other. */
const keyText = (key: string) =>
  key === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);

// Invisible characters, and those that end a line or a script element, are written as escapes: what is seen is what is there.
const unseen = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

// Tools look for these anywhere in a file, also where they are no comments, and open what they name.
const sourceNotes = /[#@](?=\s*source(?:Mapping)?URL\s*=)/gi;

const escaped = (text: string) =>
  text
    .replace(unseen, asEscape)
    .replace(/<(?=\/script|!--)/gi, asEscape)
    .replace(sourceNotes, asEscape);

/** Most texts hold nothing that is ever escaped, and need no closer look. */
const plain = /^[ !$-&(-;=-?A-[\]-~]*$/;

export function quoted(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  const inside = escaped(JSON.stringify(text).slice(1, -1));
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  if (doubles <= singles) return `"${inside}"`;
  return `'${inside.replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

/** Several lines stay several lines. */
export function template(text: string): string {
  const inside = text.replace(/[\\`]|\$(?=\{)/g, "\\$&").replace(/\r/g, "\\r");
  return `\`${escaped(inside).replace(/[^\P{Cc}\n\t]/gu, asEscape)}\``;
}

const asEscape = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
