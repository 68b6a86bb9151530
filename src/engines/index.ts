/** Adding an engine is one new file and one line here. */
export { builtinEngine } from "./builtin/index.ts";
export { withInterfaces } from "./interfacing/index.ts";
export { withOperations } from "./operating.ts";
export { replayEngine } from "./replay.ts";
