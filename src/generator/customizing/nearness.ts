import { wordsOf } from "../understanding/names.ts";
import { singularOf } from "../understanding/plurals.ts";

/** How well words name something: the smaller the better. */
export type Nearness = number;

const EXACT = 0;
const PART = 1;
const SAME_MEANING = 2;
const MISSPELT = 3;

const fillers = new Set("the a an of my our their its this that these those all each every only just any".split(" "));

/** What people say for one another. */
const meanings = [
  "picture photo image avatar thumbnail",
  "mail email",
  "telephone phone mobile",
  "cost price amount",
  "state status",
  "kind type category",
  "label tag",
  "identifier id",
  "title name",
  "summary description",
  "website url homepage",
  "created creation added",
  "updated modified changed edited",
].map((line) => line.split(" "));

/** The words of a name, each as one of its kind, without those that name nothing. */
export function stems(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !fillers.has(word))
    .map((word) => singularOf(word).toLowerCase());
}

/** Undefined where the one does not mean the other. */
export function nearness(said: string[], name: string[]): Nearness | undefined {
  if (said.length === 0 || name.length === 0) return undefined;
  const [saidText, nameText] = [said.join(""), name.join("")];
  if (saidText === nameText) return EXACT;
  if (isPart(said, name)) return PART;
  if (said.length === name.length && said.every((word, at) => meansTheSame(word, name[at] ?? ""))) return SAME_MEANING;
  return isMisspelt(saidText, nameText) ? MISSPELT : undefined;
}

function isPart(said: string[], name: string[]): boolean {
  const rest = name.length - said.length;
  if (rest <= 0) return false;
  return Array.from({ length: rest + 1 }, (_, start) => start).some((start) =>
    said.every((word, at) => name[start + at] === word),
  );
}

const meansTheSame = (one: string, other: string) =>
  one === other || meanings.some((words) => words.includes(one) && words.includes(other));

/** One letter wrong, missing, too many or in the other's place; in a long word two. */
function isMisspelt(said: string, name: string): boolean {
  const allowed = name.length >= 9 ? 2 : name.length >= 4 ? 1 : 0;
  return Math.abs(said.length - name.length) <= allowed && lettersApart(said, name) <= allowed;
}

/** Damerau's distance, with neighbours that changed places as one. */
export function lettersApart(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const above = rows[row - 1] ?? [];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swap = swapped ? (rows[row - 2]?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      const change = (above[column - 1] ?? 0) + (isSame ? 0 : 1);
      line.push(Math.min(change, swap, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

export interface Near<Thing> {
  it: Thing;
  nearness: Nearness;
}

/** Those that words name best. */
export function nearest<Thing>(said: string[], things: Thing[], namesOf: (thing: Thing) => string[][]): Near<Thing>[] {
  const near = things.flatMap((it) => {
    const all = namesOf(it).flatMap((name) => nearness(said, name) ?? []);
    return all.length === 0 ? [] : [{ it, nearness: Math.min(...all) }];
  });
  const best = Math.min(...near.map((one) => one.nearness));
  return near.filter((one) => one.nearness === best);
}
