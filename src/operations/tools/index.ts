import type { AnyTool } from "../../core/tool.ts";
import type { SettingsOf } from "./spec-place.ts";
import { specRead } from "./spec-read.ts";
import { specSave } from "./spec-save.ts";

/** What operations read and write documents by. What is configured is looked up for each call. */
export const specTools = (settings: SettingsOf): AnyTool[] => [specRead(settings), specSave(settings)];
