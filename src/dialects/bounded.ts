import * as z from "zod";

// A schema looks at every element and makes an issue for each that is wrong, also beyond the most that there may be. These count first.

/** An array of at most so many. */
export function boundedArray<Item extends z.ZodType>(
  item: Item,
  most: number,
): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  const counted = (given: unknown) =>
    Array.isArray(given) && given.length > most ? `must have at most ${most} entries, and has ${given.length}` : "";
  return counting(z.array(item), counted);
}

type Counted<Value extends z.ZodType> = z.ZodType<Record<string, z.output<Value>>, Record<string, z.input<Value>>>;

/** An object of at most so many fields, with names of at most so many characters. */
export function boundedRecord<Value extends z.ZodType>(
  value: Value,
  { most, longestName }: { most: number; longestName: number },
): Counted<Value> {
  const counted = (given: unknown) => {
    if (typeof given !== "object" || given === null) return "";
    const names = Object.keys(given);
    if (names.length > most) return `must have at most ${most} entries, and has ${names.length}`;
    const long = names.find((name) => name.length > longestName);
    return long === undefined
      ? ""
      : `must have names of at most ${longestName} characters, and has one of ${long.length}`;
  };
  return counting(z.record(z.string().min(1), value) as Counted<Value>, counted);
}

/** Refused unseen is what `excess` says something of. */
function counting<Output, Input>(
  schema: z.ZodType<Output, Input>,
  excess: (given: unknown) => string,
): z.ZodType<Output, Input> {
  return z.preprocess((given: unknown, context) => {
    const found = excess(given);
    if (found !== "") context.issues.push({ code: "custom", input: given, message: found });
    return given;
  }, schema) as unknown as z.ZodType<Output, Input>;
}
