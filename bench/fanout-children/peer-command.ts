/** What a server does that is not ours. */
export type PeerCommand =
  /** Where clients connect. */
  | { do: "place" }
  /** Sends so many messages to everyone who is connected. */
  | { do: "flood"; events: number }
  | { do: "memory" };
