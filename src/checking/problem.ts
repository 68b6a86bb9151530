/** Why the code of an interface is not fit to be shown. Lines and columns begin with 1. */
export interface Problem {
  stage: "parse" | "types" | "render";
  message: string;
  line?: number;
  column?: number;
}

export const MOST_PROBLEMS = 10;
const MOST_CHARACTERS = 600;

/** What others wrote may be of any length. */
export const shortened = (text: string) =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
