import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "../api/backend.ts";
import { useWorkspace } from "./workspace.tsx";

export interface Load<Value> {
  /** Stays while something newer is loaded, so that a page does not flicker. */
  value?: Value;
  error?: ApiError;
  loading: boolean;
  reload: () => void;
}

interface Outcome<Value> {
  asked: string;
  value?: Value;
  error?: ApiError;
}

/**
 * Loads now, and again whenever `what` or the connection changes. What is no longer wanted is
 * aborted.
 */
export function useLoad<Value>(
  what: string,
  load: (signal: AbortSignal) => Promise<Value>,
): Load<Value> {
  const { revision } = useWorkspace();
  const [attempt, setAttempt] = useState(0);
  const [outcome, setOutcome] = useState<Outcome<Value>>({ asked: "" });
  const asked = `${revision} ${attempt} ${what}`;
  const start = useEffectEvent(load);
  useEffect(() => {
    const abort = new AbortController();
    const settle = (result: Omit<Outcome<Value>, "asked">) => {
      if (!abort.signal.aborted) setOutcome({ asked, ...result });
    };
    start(abort.signal).then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error: apiErrorOf(error) }),
    );
    return () => abort.abort();
  }, [asked]);
  return {
    value: outcome.value,
    error: outcome.asked === asked ? outcome.error : undefined,
    loading: outcome.asked !== asked,
    reload: () => setAttempt((count) => count + 1),
  };
}

/** A mistake of ours is shown like a failure of the API: precise, and without losing the page. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError("badResponse", error instanceof Error ? error.message : String(error));
}
