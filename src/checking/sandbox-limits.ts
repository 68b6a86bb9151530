/** GitHub's interface takes 20. */
export const MOST_MEGABYTES = 256;
/**
 * How often the engine may ask whether to go on: after about every 10,000 branches and calls, on a slow machine as on a fast one. The
 * first screens of Petstore take 330, those of GitHub's API 2400, and a plain endless loop has done this much in two seconds.
 */
export const MOST_WORK = 8000;
/** No further screen is visited after this much; those that were are enough. */
export const ENOUGH_WORK = 2000;
/** For what takes its time without being asked. */
export const LONGEST_MS = 45_000;
/** Why a module was stopped that does not come to an end, in the words of the engine. */
export const INTERRUPTED = "interrupted";
/** Characters of what the sandbox says that it saw. */
export const MOST_REPORTED = 4_000_000;
