import type { Action, Scene, Unclear } from "./action.ts";
import type { Found } from "./wording.ts";

/** One way of asking. Forms are tried in their order, and the first that makes something of the request has it. */
export interface Form {
  pattern: RegExp;
  /** Looks at the words as they were written to their end. */
  open?: true;
  make(found: Found, scene: Scene): Action | Unclear | undefined;
}

/** Requests of one kind. Adding one is a file and a line in `families.ts`. */
export interface Family {
  name: string;
  /** What it is for, in a list of what can be asked. */
  can: string;
  examples: string[];
  forms: Form[];
}
