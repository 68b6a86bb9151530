import type { Field } from "../descriptor.ts";

/** What an object is, or is of, when it has a field of this name. */
const telling: [name: RegExp, word: string][] = [
  [/^(login|e_?mail|user_?name|first_?name|last_?name|given_?name|surname)$/i, "person"],
  [/^(city|street|zip|zip_?code|post_?code|postal_?code|postcode)$/i, "address"],
  [/^b?cc$/i, "mail"],
];

const contexts = new WeakMap<Field[], string[]>();

/** Words for what an object is, from what is in it. */
export function contextOf(fields: Field[]): string[] {
  const known = contexts.get(fields);
  if (known) return known;
  const context = telling
    .filter(([pattern]) => fields.some(({ name }) => pattern.test(name)))
    .map(([, word]) => word);
  contexts.set(fields, context);
  return context;
}
