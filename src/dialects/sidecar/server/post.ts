/** One try to bring a call to the plugin. */
export interface CallbackPost {
  url: string;
  /** JSON. */
  body: string;
  headers: Record<string, string>;
  allowedHosts: readonly string[];
  signal: AbortSignal;
}

/** `unreachable`: no byte of an answer came, so it can be tried again. `failed`: one came that is of no use. */
export type Posted =
  | { outcome: "answered"; status: number; signature: string | undefined; body: string; json: unknown }
  | { outcome: "unreachable"; why: string }
  | { outcome: "failed"; why: string };

/** It is given by whoever has a network. It never fails otherwise than by what it resolves with. */
export type Post = (request: CallbackPost) => Promise<Posted>;
