import { DragomanError } from "./errors.ts";

/** What a run ends with whose process ended before it did, and which nobody can go on with. */
export function ownerLost(): DragomanError {
  return new DragomanError("owner_lost", "The process that ran this ended before the run did. Start it again.");
}
