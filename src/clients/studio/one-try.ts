import type { Clock } from "../../core/clock.ts";
import type { StudioClient } from "./client.ts";
import type { Method, Params, Result } from "./protocol.ts";
import type { RequestOptions } from "./studio-calls.ts";
import { StudioError } from "./studio-error.ts";
import { TryTime } from "./try-time.ts";

/** The run of a request: what is needed to cancel it from another connection. */
export interface RunPlace {
  runId: string;
  sessionId: string;
}

interface TryOptions extends Omit<RequestOptions, "context"> {
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
  /** Once it is known, as soon as the run is begun or queued. */
  onRun?(place: RunPlace): void;
}

/** A call, for as long as it may take. Whatever becomes of it, it is not worked on afterwards. */
export async function oneTry<M extends Method>(
  client: StudioClient,
  method: M,
  params: Params<M>,
  { clock, timeoutMs, onRun, ...options }: TryOptions,
): Promise<Result<M>> {
  const late = new AbortController();
  const time = new TryTime(clock, timeoutMs, () => late.abort());
  let requestId: number | undefined;
  const ifOurs = <T extends { requestId?: unknown }>(act: (told: T) => void) => {
    return (told: T) => void (told.requestId === requestId && act(told));
  };
  const placed = ifOurs<Partial<RunPlace> & { requestId?: unknown }>(({ runId, sessionId }) => {
    if (runId !== undefined && sessionId !== undefined) onRun?.({ runId, sessionId });
  });
  const ignored = [
    client.on("run/started", placed),
    client.on("progress", placed),
    client.on(
      "ask/opened",
      ifOurs(({ askId }) => time.asked(askId)),
    ),
    client.on(
      "ask/closed",
      ifOurs(({ askId }) => time.answered(askId)),
    ),
  ];
  try {
    return await client.call(method, params, {
      ...options,
      signal: AbortSignal.any([options.signal, late.signal]),
      onRequestId: (id) => {
        requestId = id;
        options.onRequestId?.(id);
      },
    });
  } catch (error) {
    if (!late.signal.aborted || options.signal.aborted) throw error;
    throw new StudioError("timeout", `${method} was not answered within ${timeoutMs / 1000} s`);
  } finally {
    time.end();
    for (const stopListening of ignored) stopListening();
  }
}
