import { setMaxListeners } from "node:events";
import type { Caller } from "../core/roles.ts";

/** What someone who showed a token, or something that stands for it, has been given. */
export interface Grant {
  readonly caller: Caller;
  /** Aborts when the token is revoked, rotated or expires, or the sign-in ends: what is open on the strength of it then closes. */
  readonly revoked: AbortSignal;
  /** What stands for the sign-in, if it was given for one: no secret. */
  readonly signIn?: string;
}

/** What ends a grant. Everything that is open listens to its signal, so there is no number of listeners that is too many. */
export function newEnd(): AbortController {
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  return end;
}
