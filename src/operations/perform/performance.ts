import type { EngineIO } from "../../core/engine.ts";
import type { Advice } from "./advice.ts";
import type { FeatureFiles } from "./feature-files.ts";
import type { OperationRequest } from "./request.ts";
import type { Telling } from "./telling.ts";

/** What an operation is done with. */
export interface Performance {
  request: OperationRequest;
  io: EngineIO;
  telling: Telling;
  files: FeatureFiles;
  /** Aborts when the run is to end. */
  signal: AbortSignal;
  /** Of an engine with a model. */
  advice?: Advice;
}

/** What came of it; `data` in our own casing. */
export interface Performed {
  /** One sentence or two, for the last message. */
  description: string;
  data: object;
}
