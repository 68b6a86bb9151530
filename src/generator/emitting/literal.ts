import type { Json } from "../normalized-spec.ts";
import { filledLines } from "./filled-lines.ts";
import { keyText, quoted, template } from "./quoted.ts";
import { textWidth, WIDTH } from "./text-width.ts";

// Data as a TypeScript literal, laid out as Prettier lays it out, which is far too slow for thousands of descriptors.

const INDENT = "  ";

/** What cannot stand in a literal is left out, as JSON does. */
export type LiteralValue = Json | undefined | Named | { [key: string]: LiteralValue } | LiteralValue[];

/** A constant that is used instead of what it holds. */
export class Named {
  constructor(readonly name: string) {}
}

/**
 * @param start how many columns are taken before it on its line
 * @param depth how often its lines are indented
 */
export function literal(value: LiteralValue, depth = 0, start = 0, after = 1): string {
  if (!isContainer(value)) return scalar(value);
  const flat = onOneLine(value, WIDTH - start - after);
  if (flat !== undefined) return flat;
  const inside = depth + 1;
  if (Array.isArray(value)) {
    const lines = isNumbers(value)
      ? filledLines(value.map(listed), INDENT.repeat(inside))
      : value.map((one) => line(one, inside));
    return broken("[", lines, "]", depth);
  }
  const lines = entriesOf(value).map((entry) => property(entry, inside));
  return broken("{", lines, "}", depth);
}

function broken(open: string, lines: string[], close: string, depth: number): string {
  if (lines.length === 0) return open + close;
  return `${open}\n${lines.join("")}${INDENT.repeat(depth)}${close}`;
}

const listed = (value: LiteralValue) => `${scalar(value)},`;

function line(value: LiteralValue, depth: number): string {
  const indent = INDENT.repeat(depth);
  return `${indent}${literal(value, depth, indent.length)},\n`;
}

/** A line of an object, or several. */
export function property([key, value]: [string, LiteralValue], depth: number): string {
  const name = keyText(key);
  const before = `${INDENT.repeat(depth)}${name}:`;
  // Below so short a key, a line of its own wins nothing.
  const stays = !isContainer(value) && textWidth(name) <= INDENT.length + 2;
  return stays ? `${before} ${scalar(value)},\n` : `${before}${assigned(value, depth, textWidth(before))},\n`;
}

/** What follows a `:` or `=`, with the blank before it. Where not even its beginning fits, it gets a line of its own. */
export function assigned(value: LiteralValue, depth: number, start: number): string {
  const room = WIDTH - start - " ".length;
  const indent = INDENT.repeat(depth + 1);
  if (isContainer(value)) {
    const beginning = isEmpty(value) ? "{}," : "{";
    if (beginning.length <= room) return ` ${literal(value, depth, start + 1)}`;
    return `\n${indent}${literal(value, depth + 1, indent.length)}`;
  }
  const text = scalar(value);
  return isNeverMoved(value) || textWidth(text) + 1 <= room ? ` ${text}` : `\n${indent}${text}`;
}

const isNeverMoved = (value: LiteralValue) =>
  typeof value === "boolean" || (typeof value === "number" && value >= 0) || isSeveralLines(value);

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
  let left = room - open.length - close.length;
  for (const [key, value] of parts) {
    const before = `${text === open ? "" : ", "}${key === undefined ? "" : `${keyText(key)}: `}`;
    left -= textWidth(before);
    const part = onOneLine(value, left);
    if (part === undefined) return undefined;
    left -= textWidth(part);
    text += before + part;
  }
  return left < 0 ? undefined : text + close;
}

const fitting = (text: string, room: number) => (textWidth(text) <= room && !text.includes("\n") ? text : undefined);

/** Several records with several values each are easier to read one below the other. */
function isTabular(list: LiteralValue[]): boolean {
  const areRecords = list.every((one) => isObject(one) && entriesOf(one).length > 1);
  const areLists = list.every((one) => Array.isArray(one) && one.length > 1);
  return list.length > 1 && (areRecords || areLists);
}

/** Prettier fills lines with numbers where there is nothing else. */
const isNumbers = (list: LiteralValue[]) => list.length > 1 && list.every(Number.isFinite);

const isEmpty = (value: { [key: string]: LiteralValue } | LiteralValue[]) =>
  (Array.isArray(value) ? value : entriesOf(value)).length === 0;

const isSeveralLines = (value: LiteralValue): value is string => typeof value === "string" && value.includes("\n");

const isContainer = (value: LiteralValue): value is { [key: string]: LiteralValue } | LiteralValue[] =>
  typeof value === "object" && value !== null && !(value instanceof Named);

const isObject = (value: LiteralValue): value is { [key: string]: LiteralValue } =>
  isContainer(value) && !Array.isArray(value);

const entriesOf = (value: { [key: string]: LiteralValue }) =>
  Object.entries(value).filter(([, one]) => one !== undefined);

function scalar(value: LiteralValue): string {
  if (value instanceof Named) return value.name;
  if (typeof value === "string") return isSeveralLines(value) ? template(value) : quoted(value);
  if (typeof value === "number") return JSON.stringify(value).replace("e+", "e");
  return value === undefined ? "undefined" : JSON.stringify(value);
}
