import * as z from "zod";
import { DragomanError } from "../core/errors.ts";

/** What is wrong with params is told up to here: a megabyte may be wrong in every place. */
const MOST_ISSUES = 10;
/** What is wrong in more places than this was not meant to be left out. */
const MOST_NULLS = 1000;

/** The params of a call as its schema has them; those that are left out count as `{}`. */
export function checkedParams(method: string, schema: z.ZodType, given: unknown): unknown {
  const params = given ?? {};
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const again = issues.length > MOST_NULLS ? parsed : schema.safeParse(withoutNulls(params, issues));
  if (again.success) return again.data;
  const told = z.prettifyError({ issues: issues.slice(0, MOST_ISSUES) });
  throw new DragomanError("invalid_params", `${method}: ${told}`);
}

/** Many a client writes the fields that it leaves out as null. One that may not be left out is missing then. */
function withoutNulls(params: object, issues: z.ZodError["issues"]): unknown {
  const given = structuredClone(params);
  for (const { path } of issues) {
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], given);
    const last = path.at(-1);
    if (last !== undefined && Reflect.get(Object(holder), last) === null) Reflect.deleteProperty(Object(holder), last);
  }
  return given;
}
