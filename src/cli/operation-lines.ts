import * as z from "zod";
import type { Analysis } from "../operations/analyze/index.ts";
import type { OperationName } from "../operations/perform/index.ts";
import { camelCased } from "../operations/perform/snake-case.ts";
import { graphLines } from "./graph-lines.ts";
import type { Paint } from "./terminal/paint.ts";
import type { Place } from "./terminal/screen.ts";

/** Where lines have no end of their own. */
const USUAL_WIDTH = 120;

const ids = z.array(z.string());

/** What of an analysis is drawn. */
const drawnSchema = z.looseObject({
  tasks: z
    .array(z.looseObject({ id: z.string(), title: z.string(), hours: z.number().optional(), dependsOn: ids }))
    .min(1),
  order: ids,
  unordered: ids,
  dependencies: z.array(z.object({ from: z.string(), to: z.string() })),
  cycles: z.array(ids),
  dangling: z.array(z.looseObject({ task: z.string(), needs: z.string() })),
  selfDependencies: z.array(z.looseObject({ task: z.string() })),
  criticalPath: z.looseObject({ tasks: ids, hours: z.number(), unestimated: z.number() }),
  totalHours: z.number(),
});

/** What the terminal shows of a result besides its text: of an analysis what depends on what. */
export function operationLines(
  name: OperationName,
  data: object,
  { paint, width }: Pick<Place, "paint" | "width">,
): string[] {
  if (name !== "analyze") return [];
  const drawn = drawnSchema.safeParse(camelCased(data));
  if (!drawn.success) return []; // there are no tasks
  const room = Number.isFinite(width) ? width - 2 : USUAL_WIDTH;
  const lines = graphLines(drawn.data as unknown as Analysis, room); // the schema has all that it looks at
  return ["", "Dependencies:", "", ...lines.map((line) => painted(`  ${line}`.trimEnd(), paint))];
}

/** The critical path is what counts, and what is wrong is red. */
function painted(line: string, paint: Paint): string {
  if (line.includes("!! ")) return paint.red(line);
  const [, branch = "", id = "", rest = ""] = /^([\s│├└─⋯]*)(\S+ [∥✓]*\*\S* )(.*)$/.exec(line) ?? [];
  return id === "" ? line : paint.dim(branch) + paint.bold(paint.cyan(id)) + rest;
}
