import { EventTarget as Target, Event as TargetEvent } from "linkedom/worker";

export class Exception extends Error {
  constructor(
    message = "",
    override readonly name = "Error",
  ) {
    super(message);
  }
}

export class Signal extends Target {
  aborted = false;
  reason: unknown;
  onabort: ((event: unknown) => void) | null = null;

  static abort(reason: unknown): Signal {
    const signal = new Signal();
    abort(signal, reason);
    return signal;
  }

  static timeout(delay: number): Signal {
    const signal = new Signal();
    setTimeout(() => abort(signal, new Exception("The operation timed out.", "TimeoutError")), delay);
    return signal;
  }

  static any(signals: Iterable<Signal>): Signal {
    const either = new Signal();
    for (const one of signals) {
      if (one.aborted) abort(either, one.reason);
      else one.addEventListener("abort", () => abort(either, one.reason), { once: true });
    }
    return either;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

function abort(signal: Signal, reason: unknown): void {
  if (signal.aborted) return;
  signal.aborted = true;
  signal.reason = reason ?? new Exception("The operation was aborted.", "AbortError");
  const event = new TargetEvent("abort");
  signal.onabort?.(event);
  signal.dispatchEvent(event);
}

export class Controller {
  readonly signal = new Signal();

  abort(reason?: unknown): void {
    abort(this.signal, reason);
  }
}
