/** Where to go on: after a message, or after an event of the session's log, which is what another protocol knows. */
export type Place = { after: number } | { afterLogSeq: number };

/** As the address of a socket says it; who has nothing says nothing. */
export function inAddress(place: Place): Record<string, number> {
  if ("afterLogSeq" in place) return { after_log_seq: place.afterLogSeq };
  return place.after < 0 ? {} : { last_received_sequence: place.after };
}
