import type { Engine } from "../core/engine.ts";
import type { Store } from "../core/store.ts";
import type { Examination } from "../stores/sqlite-examine.ts";

/** What the composition root gives to commands: the stores and engines that it chose, loaded when they are used. */
export interface Parts {
  version: string;
  /** Where the log is. */
  place(): string;
  openStore(): Promise<Store>;
  /** Looks at the log without changing it, and at who writes to it at a moment. */
  examine(): Promise<{ examination: Examination; writer(): number | undefined }>;
  engines(): Promise<Engine[]>;
  /** An engine that plays a recording, and the prompt that was recorded. */
  recorded(text: string, speed: "full" | "recorded"): Promise<{ engine: Engine; prompt: string }>;
}
