import type { Model } from "../../src/core/engine.ts";

/** As the `sidecar` document has them. */
export const MODELS: Required<Pick<Model, "id" | "name" | "capabilities" | "contextWindow">>[] = [
  { id: "gpt-5-mini", name: "GPT-5 Mini", capabilities: ["code", "chat"], contextWindow: 128000 },
  { id: "gpt-5", name: "GPT-5", capabilities: ["code", "chat", "vision"], contextWindow: 200000 },
];

/** Makes an event about 200 bytes long. */
export const TITLE = "Looking for the places where the parser is called, in 17 files";

/** What the last event of a run ends with. */
export const LAST = '"done":true}\n\n';
