import type { Path } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { nounKey } from "./path-shape.ts";
import type { SchemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";

/** Where the one record stands in an answer. */
export interface RecordPlace {
  path: Path;
  schema: Schema;
}

const wrappers = new Set(
  "data result response payload item record body content object value resource entity".split(" "),
);
const beside =
  /^(@|_)|^(meta|metadata|links?|status|success|message|msg|code|errors?|warnings?|included|request|version|timestamp|ok|info|paging|pagination|statuscode|description|json_?api|trace|result|time|took|usage)/i;

/** The record itself, or what stands below "data" or its own name beside nothing but remarks. */
export function recordOf(view: SchemaView, schema: Schema | undefined, noun: string): RecordPlace | undefined {
  const whole = simplified(view, schema);
  if (schema === undefined) return undefined;
  if (whole.type === "union") {
    const isRecord = (whole.unionOf ?? []).some((member) => simplified(view, member).type === "object");
    return isRecord ? { path: [], schema } : undefined;
  }
  if (whole.type !== "object" && whole.type !== undefined) return undefined;
  return wrapped(view, whole, noun) ?? { path: [], schema };
}

function wrapped(view: SchemaView, whole: Schema, noun: string): RecordPlace | undefined {
  const properties = Object.entries(whole.properties ?? {});
  for (const [name, part] of properties) {
    const key = nounKey(name);
    const isNamed = key === noun || noun.endsWith(`-${key}`) || key.endsWith(`-${noun}`);
    if (!isNamed && !wrappers.has(key)) continue;
    const others = properties.filter(([other]) => other !== name);
    if (!others.every(([other]) => beside.test(other))) continue;
    const inner = simplified(view, part);
    const isObject = inner.type === "object" && Object.keys(inner.properties ?? {}).length > 0;
    if (isObject || (inner.type === "union" && others.length === 0)) return { path: [name], schema: part };
  }
  return undefined;
}
