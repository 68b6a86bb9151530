import * as z from "zod";

// What clients give that ran one of our tools in our place is as they please. Whatever of it is known is kept.

/** The fields of an answer that have the right form; the others are as if they had been left out. */
export function fieldsOf<Shape extends z.ZodRawShape>(
  given: unknown,
  shape: Shape,
): Partial<z.output<z.ZodObject<Shape>>> {
  const answer = typeof given === "object" && given !== null ? given : {};
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const parsed = z.safeParse(schema, (answer as Record<string, unknown>)[name]);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(fields) as Partial<z.output<z.ZodObject<Shape>>>;
}

/** An answer may also be nothing but text. */
export const textIn = (given: unknown) => (typeof given === "string" ? given : undefined);
