import { DragomanError } from "./errors.ts";

/** What a run ends with whose process ended before it did, or was not heard of any more, and which nobody can go on with. */
export function ownerLost(): DragomanError {
  return new DragomanError("owner_lost", "The process that ran this was lost before the end. Start it again.");
}
