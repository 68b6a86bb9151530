import { InvalidArgumentError } from "commander";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ages: Record<string, number> = { min: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

export function age(given: string): number {
  const ms = timeSpan(given);
  if (ms > Date.now()) throw new InvalidArgumentError("Nothing is as old as that.");
  return ms;
}

/** Milliseconds. There is no m, which some would take for minutes and some for months. */
export function timeSpan(given: string): number {
  const [, number = "", unit = ""] = /^(\d+)(min|h|d|w)$/.exec(given) ?? [];
  const unitMs = ages[unit];
  if (unitMs === undefined)
    throw new InvalidArgumentError("It takes a whole number and min, h, d or w, such as 12h or 30d.");
  return Number(number) * unitMs;
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** Bytes, as the sizes that are shown: a KB has 1024 of them. */
export function byteSize(given: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)(B|KB|MB|GB|TB)$/i.exec(given) ?? [];
  if (unit === "") throw new InvalidArgumentError("It takes a number and KB, MB, GB or TB, such as 500MB or 1.5GB.");
  return Math.floor(Number(number) * 1024 ** units.indexOf(unit.toUpperCase()));
}
