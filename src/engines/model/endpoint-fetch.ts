import { type Clock, systemClock } from "../../core/clock.ts";
import { refused, unreachable } from "./endpoint-failure.ts";
import type { ModelOptions } from "./model-options.ts";
import { retryAfterMs } from "./retry-after.ts";

const MOST_BYTES_OF_REFUSAL = 64 * 1024;

/**
 * Asks the endpoint, and fails with what to do where that is of no use. The key goes to this address and is not carried on to another.
 * `onBytes` is called for each sign of life, with how much it is.
 */
export function endpointFetch(options: ModelOptions, onBytes: (count: number) => void): typeof fetch {
  const { clock = systemClock } = options;
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: "error" }).catch((error) => {
      throw init?.signal?.aborted ? error : unreachable(options, error);
    });
    onBytes(0);
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        onBytes(bytes.length);
        controller.enqueue(bytes);
      },
    });
    // The signal once more: when garbage was collected, fetch does not hear of it any more while it streams.
    const signal = init?.signal ?? undefined;
    const watched = new Response(response.body?.pipeThrough(heard, { signal }), response);
    if (!watched.ok) throw refused(options, await refusalIn(watched, clock));
    return watched;
  };
}

async function refusalIn(response: Response, clock: Clock) {
  const { status, statusText, headers } = response;
  const body = await textUpTo(MOST_BYTES_OF_REFUSAL, response).catch(() => "");
  return { status, statusText, body, retryAfterMs: retryAfterMs(headers, clock.now()) };
}

/** The beginning of what it said. */
export async function textUpTo(most: number, { body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > most) break;
  }
  return text.slice(0, most);
}
