import type * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import { schemaProblems } from "../core/schema-problems.ts";

/** What is wrong in more places than this was not meant to be left out. */
const MOST_NULLS = 1000;

/** The params of a call as its schema has them; those that are left out count as `{}`. */
export function checkedParams(method: string, schema: z.ZodType, given: unknown): unknown {
  const params = given ?? {};
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const nulls = issues.length > MOST_NULLS ? [] : issues.filter(({ path }) => valueAt(params, path) === null);
  const again = nulls.length === 0 ? parsed : schema.safeParse(withoutNulls(params, nulls));
  if (again.success) return again.data;
  throw new DragomanError("invalid_params", `${method}: ${schemaProblems(parsed.error)}`);
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((holder, key) => (holder as Record<PropertyKey, unknown> | null)?.[key], value);
}

/** Many a client writes the fields that it leaves out as null. One that may not be left out is missing then. */
function withoutNulls(params: object, nulls: z.ZodError["issues"]): unknown {
  const given = structuredClone(params);
  for (const { path } of nulls) {
    const last = path.at(-1);
    if (last !== undefined) Reflect.deleteProperty(Object(valueAt(given, path.slice(0, -1))), last);
  }
  return given;
}
