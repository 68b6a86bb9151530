import type { ToolIO } from "../core/tool.ts";
import { unsupervised } from "../tools/process-run.ts";

/** For a call whose output nobody looks at. */
export function quietIo(signal: AbortSignal = new AbortController().signal): ToolIO {
  return { signal, output: async () => {}, onKill: () => () => {}, supervise: unsupervised };
}
