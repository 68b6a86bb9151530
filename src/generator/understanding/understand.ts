import type { Corrections, InterfaceModel } from "../interface-model.ts";
import type { NormalizedSpec } from "../normalized-spec.ts";
import { understandGraphql } from "./graphql/understand-graphql.ts";
import { understandRest } from "./understand-rest.ts";

/** What a description means. What people know better is in `corrections`, by the `about` of an inference. */
export function understand(spec: NormalizedSpec, corrections: Corrections = {}): InterfaceModel {
  return spec.format === "graphql" ? understandGraphql(spec, corrections) : understandRest(spec, corrections);
}
