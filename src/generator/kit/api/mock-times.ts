import { nameWords } from "./format.ts";
import type { Dice } from "./mock-random.ts";

/** Sample data stays the same, so its today does not move on. */
export const sampleToday = Date.UTC(2026, 5, 15, 12);

const dayLength = 86_400_000;

/** An instant that a field of this name could hold, in milliseconds. */
export function plausibleTime(name: string, dice: Dice): number {
  const [from, to] = daysFor(name);
  return sampleToday + dice.between(from, to) * dayLength + dice.between(-700, 700) * 60_000;
}

export function isoDateTime(name: string, dice: Dice): string {
  return new Date(plausibleTime(name, dice)).toISOString().replace(".000Z", "Z");
}

export function isoDate(name: string, dice: Dice): string {
  return new Date(plausibleTime(name, dice)).toISOString().slice(0, 10);
}

/** A time of the day: what opens does so in the morning. */
export function clockTime(name: string, dice: Dice): string {
  const words = ` ${nameWords(name).join(" ")} `;
  const [from, to] = / (open|opens|opening|start|starts|from|begin) /.test(words)
    ? [8, 10]
    : / (close|closes|closing|end|ends|to|until) /.test(words)
      ? [16, 20]
      : [8, 18];
  return `${String(dice.between(from, to)).padStart(2, "0")}:${dice.pick(["00", "15", "30"])}:00`;
}

/**
 * From how many days after today to how many. What comes after something else in the life of a
 * record has days that all lie later, so that no record is changed before it is there.
 */
const dayRules: [words: RegExp, from: number, to: number][] = [
  [/ (birth|birthday|dob|born|birthdate) /, -24_000, -7300],
  [/ (expires?|expiry|expiration|expire|due|end|ends|until|deadline|next|renewal) /, 2, 90],
  [/ (updated?|modified|edited|changed|last|latest|seen|active|used) /, -20, -1],
  [/ (hired?|joined|founded|incorporation|release|released?|published|discovered) /, -1800, -220],
  [/ (created?|creation|registered|signup|opened|started?|begin|from|issued|ordered) /, -200, -60],
  [/ (date|day|time|timestamp|on) $/, -200, -21],
];

const daysByName = new Map<string, [from: number, to: number]>();

function daysFor(name: string): [from: number, to: number] {
  const known = daysByName.get(name);
  if (known) return known;
  const words = ` ${nameWords(name).join(" ")} `;
  const [, from, to] = dayRules.find(([pattern]) => pattern.test(words)) ?? [undefined, -59, -21];
  daysByName.set(name, [from, to]);
  return [from, to];
}
