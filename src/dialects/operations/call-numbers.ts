import * as z from "zod";

/** Of a URL, where everything is text. An empty one is an error and not 0, or a client would miss the first message. */
export const integer = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
]);

/** Events of the session's log that the client has, by this protocol or another one; 0 is none. */
export const logSeq = integer.pipe(z.int().min(0)).optional();

export const limit = (most: number) => integer.pipe(z.int().min(1).max(most));

/** Of ids and names, in characters. */
export const LONGEST_NAME = 200;
