import type { Clock } from "../../../core/clock.ts";
import type { Runtime } from "../../../core/runtime.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import type { FeatureStore } from "../../../operations/features/feature-store.ts";
import type { Logged } from "../../logged.ts";

/** What a server of operations is made of; whoever starts it brings it along. */
export interface Services {
  runtime: Runtime;
  /** Of operations that name none. */
  engine: string;
  model?: string;
  /** The folder that is served, and whose features these are. */
  workspace: string;
  features: FeatureStore;
  /** The session in which the operations of a feature run. */
  sessionOf(feature: string): Promise<string>;
  /** Where a session is to be found in each dialect, from the address of the server on. */
  addresses?(summary: SessionSummary): Record<string, string>;
  /** Whether what is saved is pushed, where a call does not say; as the features are configured, if this does not either. */
  push?: boolean;
  clock: Clock;
  log(entry: Logged): void;
}
