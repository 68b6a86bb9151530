import type { Clock } from "../../core/clock.ts";

/** A model behind an endpoint that speaks OpenAI's chat completions. */
export interface ModelOptions {
  /** Up to what stands before `/chat/completions`. */
  baseUrl: string;
  apiKey?: string;
  /** The variable that has the key, or would have it: whoever is refused is told which to set. */
  apiKeyVariable: string;
  /** For runs that do not say which. */
  model?: string;
  /** What there is to choose from; the endpoint is asked, if not said. */
  models?: string[];
  /** In tokens, the answer included. */
  contextWindow?: number;
  clock?: Clock;
}

/** As it may be shown: an address can have a secret in its query. */
export function shownAddress({ baseUrl }: Pick<ModelOptions, "baseUrl">): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

export const endpointUrl = ({ baseUrl }: ModelOptions, path: string): string => baseUrl.replace(/\/+$/, "") + path;
