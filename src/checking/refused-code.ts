import type { RefusedConstruct } from "./find-refused.ts";
import { readCode } from "./read-code.ts";

export type { RefusedConstruct };

/** What of a module's code is refused, in the order of the text. What cannot be read is refused, too. */
export const refusedConstructs = (code: string): RefusedConstruct[] => readCode(code).refused;
