import { mostProperties } from "../most-properties.ts";
import { ModelNames } from "./model-names.ts";
import { ownValue, type RawNode, type SourceFile } from "./raw-node.ts";
import { References } from "./references.ts";
import { SchemaReader } from "./schema-reader.ts";
import type { Warnings } from "./warnings.ts";

/** What the reading of one description shares. */
export interface Reading {
  references: References;
  schemas: SchemaReader;
  warnings: Warnings;
}

export function reading(files: SourceFile[], models: RawNode | undefined, warnings: Warnings): Reading {
  const references = new References(files, warnings);
  const names = new ModelNames(references, warnings);
  names.reserve(models);
  const paths = Object.keys(ownValue(files[0]?.root, "paths") ?? {}).length;
  return { references, schemas: new SchemaReader(names, warnings, mostProperties(paths)), warnings };
}
