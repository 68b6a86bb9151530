import { wordsOf } from "./names.ts";

const empty = new Set(
  (
    "a an and are as at by for from has have if in is it its of on or that the this to was were when whether which with not be been can " +
    "identifies indicates represents check date time object associated current given value field list number true false http url path " +
    "returns gets human readable node primary key database simple full minimal basic base nullable public model entity schema response dto"
  ).split(" "),
);

/** Whether a description tells more than the label that it stands below. */
export function saysMore(description: string, label: string): boolean {
  const known = new Set(wordsIn(label));
  return wordsIn(description).some((word) => !empty.has(word) && !known.has(word));
}

/** Without endings, so that "created" and "creation" are as good as the same. */
const wordsIn = (text: string) => wordsOf(text).map((word) => (empty.has(word) ? word : word.slice(0, 5)));
