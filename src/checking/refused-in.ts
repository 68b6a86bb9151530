import { codeReading } from "./code-reading.ts";
import type { RefusedConstruct } from "./find-refused.ts";

/** What of a module's code is refused, in the order of the text, without keeping anybody waiting for long code. */
export async function refusedIn(code: string, signal?: AbortSignal): Promise<RefusedConstruct[]> {
  return (await codeReading(code, signal)).refused;
}
