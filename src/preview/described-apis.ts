import type { SessionLog } from "../core/engine.ts";
import { baseOf, versionsIn, wholeVersion } from "../core/versions.ts";
import { type DescribedApi, describedApi } from "./described-api.ts";

const MOST_KNOWN = 100;

/** What the interfaces of sessions were generated for. The latest used are kept: each request of an interface wants to know it. */
export class DescribedApis {
  readonly #known = new Map<string, Promise<DescribedApi>>();

  /** Nothing where none was generated. */
  async of(sessionId: string, log: SessionLog): Promise<DescribedApi | undefined> {
    const all = await versionsIn(log);
    const latest = all.at(-1);
    const made = latest && baseOf(all, latest);
    if (!made) return undefined;
    const key = JSON.stringify([sessionId, made.runId]); // ids of runs may be chosen by clients
    const known = this.#known.get(key) ?? readIn(log, made.version);
    this.#known.delete(key); // the latest used stays the longest
    this.#known.set(key, known);
    known.catch(() => this.#known.delete(key)); // it may go better the next time
    const oldest = this.#known.size > MOST_KNOWN ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}

const readIn = async (log: SessionLog, version: number) =>
  describedApi((await wholeVersion(log, version))?.result.code ?? "");
