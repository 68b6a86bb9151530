import type { Dialect } from "./dialect.ts";
import { live } from "./live/index.ts";
import { operations } from "./operations/index.ts";
import { sidecar } from "./sidecar/index.ts";
import { studio } from "./studio/index.ts";
import { ui } from "./ui/index.ts";

/** Adding a dialect is one new file and one line here. */
export const dialects: readonly Dialect[] = [ui, studio, operations, sidecar, live];
