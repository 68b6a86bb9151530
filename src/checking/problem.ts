/**
 * Why the code of an interface is not fit to be shown. Lines and columns begin with 1. What has no line is wrong with all of it, or with the
 * check itself, after which nobody knows what else is wrong.
 */
export interface Problem {
  stage: "parse" | "types" | "render";
  message: string;
  line?: number;
  column?: number;
}

/** Those that are told. */
export const MOST_PROBLEMS = 10;
/** Those that a stage looks for: among many old ones a new one is to be found, too. */
const MOST_FOUND = 200;
const MOST_CHARACTERS = 600;

/** What others wrote may be of any length. */
export const shortened = (text: string) =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`;

/** The first ones. Who leaves some out says so. */
export function notTooMany(stage: Problem["stage"], found: Problem[]): Problem[] {
  return found.length <= MOST_FOUND ? found : [...found.slice(0, MOST_FOUND), tooMany(stage)];
}

export const tooMany = (stage: Problem["stage"]): Problem => ({ stage, message: "More is wrong than can be told." });
