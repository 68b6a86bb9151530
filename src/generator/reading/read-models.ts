import type { Model } from "../normalized-spec.ts";
import type { SchemaReader } from "./schema-reader.ts";

/** All that was named, in that order. Reading one may name more. */
export function readModels(schemas: SchemaReader): Model[] {
  const { pending } = schemas.names;
  const models: Model[] = [];
  for (let next = 0; next < pending.length; next++) {
    const { name, node } = pending[next] as (typeof pending)[number];
    models.push({ name, ...schemas.read(node) });
  }
  cutCircles(models, (name) => {
    const place = pending.find((one) => one.name === name)?.node.place ?? name;
    schemas.warnings.add(place, "This schema is only a reference to itself; it is taken as anything");
  });
  return models;
}

/** Names that only stand for each other (`A: {$ref: B}`, `B: {$ref: A}`) describe nothing: whoever follows them must get to an end. */
function cutCircles(models: Model[], cut: (name: string) => void): void {
  const byName = new Map(models.map((model) => [model.name, model]));
  const safe = new Set<string>();
  for (const model of models) {
    const path = new Set<string>();
    for (
      let at: Model | undefined = model;
      at && !safe.has(at.name);
      at = at.ref === undefined ? undefined : byName.get(at.ref)
    ) {
      if (path.has(at.ref ?? "") || at.ref === at.name) {
        cut(at.name);
        delete at.ref;
      }
      path.add(at.name);
    }
    for (const name of path) safe.add(name);
  }
}
