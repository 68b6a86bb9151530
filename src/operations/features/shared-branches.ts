import { DragomanError } from "../../core/errors.ts";
import { SPECS } from "./document-content.ts";

/** Branches that are everyone's by custom, whatever a repository says of itself. */
const sharedNames = ["main", "master", "develop", "trunk"];

/**
 * Fails where a feature is called as a branch that is everyone's: to save it would be to commit there. `defaults` are those from which
 * this repository starts. Case does not count, since on some disks it does not for branches either.
 */
export function refuseShared(feature: string, ...defaults: (string | undefined)[]): void {
  const name = feature.toLowerCase();
  if (![...sharedNames, ...defaults].some((shared) => shared?.toLowerCase() === name)) return;
  const message = `${feature} is a branch that everyone starts from, and no feature is saved on it. Give the feature another name.`;
  throw new DragomanError("conflict", message);
}

/** Of a branch that is there and is no feature's. */
export function foreignBranch(feature: string): DragomanError {
  const advice = `Give the feature another name, or make ${SPECS}/${feature}/spec.md on that branch yourself.`;
  return new DragomanError(
    "conflict",
    `There is a branch ${feature} without ${SPECS}/${feature}, so it is not the feature's. ${advice}`,
  );
}
