/** Adding an engine is one new file and one line here. */
export { replayEngine } from "./replay.ts";
