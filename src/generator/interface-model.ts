import type { ApiDescriptor, Resource } from "./kit/descriptor.ts";
import type { Json, Warning } from "./normalized-spec.ts";

/** What was concluded from a description, how sure that is, and why. A person can correct it by its `about`. */
export interface Inference {
  /** Stable: "pet.list.rows", "order.key", "user.actions.login" ... */
  about: string;
  value: Json;
  /** 0 to 1; 1 is what the description says itself. */
  confidence: number;
  because: string;
}

/** By `about`, what is to hold instead of what was inferred. */
export type Corrections = Record<string, Json>;

/** What a description means: everything that an interface shows, and nothing about how it looks. */
export interface InterfaceModel {
  api: ApiDescriptor;
  resources: Resource[];
  inferences: Inference[];
  warnings: Warning[];
}
